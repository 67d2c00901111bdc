import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { startEmbedded } from '../../server/bin/lib/embedded.mjs';
import { Api } from '../../server/embedded/controllers/client/api';
import { collectionPath, type Resource } from '../../server/embedded/controllers/client/resources';
import { connectKubeconfig } from '../../server/embedded/controllers/connect';
import { simulatedNode } from '../../server/embedded/kubelet/kubelet';
import { ensureNodes } from '../../server/embedded/scenarios/objects';
import { openGate } from './gate';
import { hasKubectl, kubectl } from './kubectl';

/** The cluster under the console, from the outside. */
export interface Cluster {
  /** Not through the door that the console uses: it answers while the console believes it is gone. */
  kubeconfig: string;
  /** The kubeconfig that the console gets. */
  consoleKubeconfig: string;
  embedded: boolean;
  /** Its sandbox-manager; none on a cluster that is not ours. */
  e2b?: { url: string; gateway: string; keyFile: string } | undefined;
  /** Where its faults are started and ended; none on a cluster that is not ours. */
  control?: string | undefined;
  /** Calls of the API server; they take the same door as {@link kubeconfig}. */
  api: Api;
  /** `kubectl get` of a kind in a namespace as JSON; the same list from the API server where there is no kubectl. */
  list(namespace: string, resource: Resource): Promise<unknown>;
  /** From here on the API server is gone, as far as the console can tell. */
  takeDown(): Promise<void>;
  /** It is there again on the same port, with everything that has happened since. */
  bringBack(): Promise<void>;
  /** It stops in its tracks: connections stay open, not a byte comes. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** The two ways of looking at a cluster from the outside. */
export function callsOf(kubeconfig: string): Pick<Cluster, 'api' | 'list'> {
  const api = new Api(connectKubeconfig(kubeconfig));
  return {
    api,
    async list(namespace, resource) {
      if (!hasKubectl) return api.get(collectionPath(resource, namespace));
      const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
      return JSON.parse(await kubectl(kubeconfig, ['get', name, '--namespace', namespace, '--output', 'json']));
    },
  };
}

/**
 * The embedded cluster on a free port, behind a door that can be shut. `dir` gets its kubeconfigs and its log; `sandboxes`: for a
 * scenario that scales.
 */
export async function startCluster(dir: string, scenario: string, sandboxes?: number): Promise<Cluster> {
  const log = path.join(dir, 'cluster.log');
  const extra = ['--control-port', '0', ...(sandboxes === undefined ? [] : ['--sandboxes', String(sandboxes)])];
  const { url, kubeconfig, control, e2b, process: child } = await startEmbedded({ dir, scenario, log, extra });
  const gate = await openGate(url);
  const own = callsOf(kubeconfig);
  const consoleKubeconfig = path.join(dir, 'console.kubeconfig');
  writeFileSync(
    consoleKubeconfig,
    readFileSync(kubeconfig, 'utf8').replaceAll(new URL(url).host, new URL(gate.url).host),
  );
  return {
    kubeconfig,
    consoleKubeconfig,
    embedded: true,
    e2b,
    control,
    ...own,
    takeDown: gate.shut,
    bringBack: gate.open,
    freeze: () => child.signal('SIGSTOP'),
    thaw: () => child.signal('SIGCONT'),
    async stop() {
      own.api.close();
      child.signal('SIGCONT');
      await child.stop();
    },
  };
}

/** Another cluster, with the embedded controllers and kubelet running on it. It cannot be broken from here. */
export async function joinCluster(kubeconfig: string, dir: string): Promise<Cluster> {
  const log = path.join(dir, 'controllers.log');
  const own = callsOf(kubeconfig);
  // The kubelet runs Pods on nodes of its own only.
  const lacksNodes = (await simulatedNodes(own.api)).length === 0;
  if (lacksNodes) await ensureNodes(own.api, 3);
  const { process: child } = await startEmbedded({ dir, kubeconfig, log });
  const refuse = () => {
    throw new Error('Only the embedded cluster is broken on purpose: tag the test @fault.');
  };
  return {
    kubeconfig,
    consoleKubeconfig: kubeconfig,
    embedded: false,
    ...own,
    takeDown: refuse,
    bringBack: refuse,
    freeze: refuse,
    thaw: refuse,
    async stop() {
      await child.stop();
      if (lacksNodes) for (const name of await simulatedNodes(own.api)) await own.api.remove(`/api/v1/nodes/${name}`);
      own.api.close();
    },
  };
}

const nodeList = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

async function simulatedNodes(api: Api): Promise<string[]> {
  const list = nodeList.parse(
    await api.get(`/api/v1/nodes?labelSelector=${encodeURIComponent(`${simulatedNode}=true`)}`),
  );
  return list.items.map(({ metadata }) => metadata.name);
}
