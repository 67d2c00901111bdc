import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtInPrincipal } from '../../access/principal';
import { writeKubeconfig } from '../../embedded/apiserver/kubeconfig';
import { startApiServer } from '../../embedded/apiserver/server';
import { Api } from '../../embedded/controllers/client/api';
import { connectUrl } from '../../embedded/controllers/connect';
import { runControllers } from '../../embedded/controllers/run';
import { fastDelays } from '../../embedded/kubelet/options';
import { ensureNodes } from '../../embedded/scenarios/objects';
import { readEnvironment } from '../../env';
import { makeAudit } from '../../history/audit';
import { makeHistory } from '../../history/database';
import { Cluster } from '../../kube/cluster';
import { clusterConfig } from '../../kube/config';
import { defaultTiming } from '../../kube/timing';
import { makeLog } from '../../log';
import { guardActions } from '../../upgrades/guard-actions';
import { Guards } from '../../upgrades/guards';
import { Journal } from '../../upgrades/journal';
import type { UpgradeContext } from '../upgrades/upgrade-context';

/** An embedded cluster whose controllers run, and a console on it as one process has it. */
export async function livingWorld() {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const api = new Api(connection);
  await ensureNodes(api, 3);
  const controllers = await runControllers({
    api: connection,
    signal: new AbortController().signal,
    delays: fastDelays,
  });
  const dir = mkdtempSync(path.join(tmpdir(), 'living-'));
  const kubeconfig = path.join(dir, 'kubeconfig');
  writeKubeconfig(kubeconfig, server.url);
  const lines: string[] = [];
  const audit = makeAudit(makeLog({ write: (line: string) => void lines.push(line) }));
  const history = makeHistory(dir);

  /** A console starts; what an earlier one has stored is there. @param listen before anything is heard of the cluster */
  async function start(listen: (cluster: Cluster) => void = () => undefined) {
    const cluster = new Cluster(clusterConfig(readEnvironment({ CONSOLE_KUBECONFIG: kubeconfig })), defaultTiming);
    const journal = new Journal(cluster, history);
    const guards = new Guards(cluster, history, guardActions(cluster, audit));
    await Promise.all([journal.recall(), guards.recall()]);
    listen(cluster);
    cluster.start();
    await cluster.ready(10_000);
    const ctx: UpgradeContext = {
      cluster,
      principal: builtInPrincipal({ CONSOLE_USER: 'mara' }),
      requestId: 'req-00001',
      audit,
      now: Date.now,
      history,
      journal,
      guards,
      sandboxes: () => cluster.rows('sandboxes'),
    };
    const stop = () => {
      journal.stop();
      guards.stop();
      cluster.stop();
    };
    return { cluster, ctx, stop };
  }

  return {
    start,
    /** Every line of the audit. */
    lines,
    async close() {
      await controllers.stop();
      api.close();
      await server.close();
      await history.close();
      rmSync(dir, { recursive: true });
    },
  };
}
