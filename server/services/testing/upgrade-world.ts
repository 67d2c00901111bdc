import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kubeObject } from '@/lib/contracts/objects';
import type { Freshness } from '@/lib/contracts/stream';
import type { UpgradeDraft } from '@/lib/contracts/upgrades';
import { builtInPrincipal, type Principal } from '../../access/principal';
import { makeAudit } from '../../history/audit';
import { type History, makeHistory } from '../../history/database';
import { makeLog } from '../../log';
import { Guards } from '../../upgrades/guards';
import type { KubeCall } from '../context';
import type { UpgradeContext } from '../upgrades/upgrade-context';
import { type ContractCluster, contractCluster } from './contract-cluster';

/** A namespace on an API server, and services of upgrades that work there. No controller runs: the test writes statuses. */
export interface UpgradeWorld {
  cluster: ContractCluster;
  namespace: string;
  history: History;
  /** Every call that services made but access reviews. */
  calls: KubeCall[];
  /** Every line of the log, as JSON. */
  lines: string[];
  context(over?: { principal?: Principal; freshness?: Freshness }): UpgradeContext;
  /** Makes a claimed, running Sandbox. */
  sandbox(name: string, over?: SandboxOver): Promise<{ uid: string; name: string }>;
  read(
    resource: string,
    name: string,
  ): Promise<Record<string, unknown> & { metadata: Metadata; spec: Record<string, unknown> }>;
  patch(resource: string, name: string, body: object): Promise<void>;
  /** Writes the phase of an operation. */
  reach(operation: string, phase: string): Promise<void>;
  draft(over?: Partial<UpgradeDraft>): UpgradeDraft;
  close(): Promise<void>;
}

type Metadata = {
  uid: string;
  generation: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};

export type SandboxOver = {
  labels?: Record<string, string>;
  image?: string;
  env?: { name: string; value: string }[];
  spec?: object;
  status?: object;
  phase?: string;
};

const agents = '/apis/agents.kruise.io/v1alpha1';
let worlds = 0;

export async function upgradeWorld(): Promise<UpgradeWorld> {
  const cluster = await contractCluster();
  worlds += 1;
  const namespace = `upgrades-${Date.now()}-${worlds}`;
  const dir = mkdtempSync(path.join(tmpdir(), 'upgrades-'));
  const history = makeHistory(dir);
  const calls: KubeCall[] = [];
  const lines: string[] = [];
  const audit = makeAudit(makeLog({ write: (line: string) => void lines.push(line) }));
  await cluster.client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  const at = (resource: string, name: string) => `${agents}/namespaces/${namespace}/${resource}/${name}`;
  const none: Freshness = { kinds: [], cluster: { name: 'c', server: 's', embedded: false, missing: [] } };
  const guards = new Guards(
    {
      onChange: () => () => undefined,
      onState: () => () => undefined,
      row: () => undefined,
      rows: () => [],
      freshness: () => none,
    },
    history,
    { pause: async () => 'over', markOf: async () => undefined },
  );
  const patch = async (resource: string, name: string, body: object) => {
    const contentType = 'application/merge-patch+json';
    await cluster.client.request({ method: 'PATCH', path: at(resource, name), contentType, body });
  };
  return {
    cluster,
    namespace,
    history,
    calls,
    lines,
    patch,
    context: ({ principal = builtInPrincipal({ CONSOLE_USER: 'mara' }), freshness = none } = {}) => ({
      cluster: {
        client: {
          request: (call) => {
            if (!call.path.endsWith('/selfsubjectaccessreviews')) calls.push(structuredClone(call));
            return cluster.client.request(call);
          },
        },
        freshness: () => freshness,
      },
      principal,
      requestId: 'req-00001',
      audit,
      now: Date.now,
      history,
      journal: { flush: async () => undefined },
      guards,
      sandboxes: () => [],
    }),
    async sandbox(name, over = {}) {
      const {
        labels = {},
        image = 'registry.local/code:v1',
        env = [],
        spec = {},
        status = {},
        phase = 'Running',
      } = over;
      const answer = await cluster.client.request({
        method: 'POST',
        path: `${agents}/namespaces/${namespace}/sandboxes`,
        body: {
          apiVersion: 'agents.kruise.io/v1alpha1',
          kind: 'Sandbox',
          metadata: { name, labels: { app: 'code', 'agents.kruise.io/sandbox-claimed': 'true', ...labels } },
          spec: { template: { spec: { containers: [{ name: 'main', image, env }] } }, ...spec },
        },
      });
      const { uid, generation } = kubeObject.parse(answer.body).metadata;
      await patch('sandboxes', `${name}/status`, { status: { phase, observedGeneration: generation, ...status } });
      return { uid, name };
    },
    async read(resource, name) {
      const answer = await cluster.client.request({ method: 'GET', path: at(resource, name) });
      return answer.body as Record<string, unknown> & { metadata: Metadata; spec: Record<string, unknown> };
    },
    reach(operation, phase) {
      const counts = { replicas: 0, updatedReplicas: 0, updatingReplicas: 0, failedReplicas: 0 };
      return patch('sandboxupdateops', `${operation}/status`, { status: { ...counts, phase } });
    },
    draft: (over = {}) => ({
      namespace,
      name: 'up',
      targets: { by: 'labels', selector: { matchLabels: { app: 'code' } } },
      states: ['Running'],
      change: { by: 'patch', patch: { spec: { containers: [{ name: 'main', image: 'registry.local/code:v2' }] } } },
      strategy: 'Recreate',
      maxUnavailable: 1,
      paused: false,
      ...over,
    }),
    async close() {
      guards.stop();
      await history.close();
      await cluster.close();
      rmSync(dir, { recursive: true });
    },
  };
}
