import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbedded } from '../../server/bin/lib/embedded.mjs';
import { cacheDir } from '../../server/bin/lib/paths.mjs';
import { openGate } from './gate';
import { hasKubectl, kubectl } from './kubectl';

/** The cluster under the console, from the outside. */
export interface Cluster {
  /** Not through the door that the console uses: it answers while the console believes it is gone. */
  kubeconfig: string;
  /** The kubeconfig that the console gets. */
  consoleKubeconfig: string;
  embedded: boolean;
  kubectl(...args: string[]): Promise<string>;
  /** What the API server answers at a path, `/apis/agents.kruise.io/v1alpha1/sandboxsets`. */
  read(apiPath: string): Promise<unknown>;
  /** From here on the API server is gone, as far as the console can tell. */
  takeDown(): Promise<void>;
  /** It is there again on the same port, with everything that has happened since. */
  bringBack(): Promise<void>;
  /** It stops in its tracks: connections stay open, not a byte comes. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const dir = path.join(cacheDir, 'e2e', 'cluster');

/** The embedded cluster on a free port, behind a door that can be shut. */
export async function startCluster(scenario: string): Promise<Cluster> {
  const log = path.join(cacheDir, 'e2e', 'cluster.log');
  const { url, kubeconfig, process: child } = await startEmbedded({ dir, scenario, log });
  const gate = await openGate(url);
  const consoleKubeconfig = path.join(dir, 'console.kubeconfig');
  writeFileSync(consoleKubeconfig, readFileSync(kubeconfig, 'utf8').replaceAll(url, gate.url));
  return {
    kubeconfig,
    consoleKubeconfig,
    embedded: true,
    kubectl: (...args) => kubectl(kubeconfig, args),
    async read(apiPath) {
      if (hasKubectl) return JSON.parse(await kubectl(kubeconfig, ['get', '--raw', apiPath]));
      const answer = await fetch(new URL(apiPath, url));
      if (!answer.ok) throw new Error(`${apiPath}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    takeDown: gate.shut,
    bringBack: gate.open,
    freeze: () => child.signal('SIGSTOP'),
    thaw: () => child.signal('SIGCONT'),
    async stop() {
      child.signal('SIGCONT');
      await child.stop();
    },
  };
}

/** Another cluster, with the embedded controllers and kubelet running on it. It cannot be broken from here. */
export async function joinCluster(kubeconfig: string): Promise<Cluster> {
  const log = path.join(cacheDir, 'e2e', 'controllers.log');
  const { process: child } = await startEmbedded({ dir, kubeconfig, log });
  const refuse = () => {
    throw new Error('Only the embedded cluster is broken on purpose: tag the test @fault.');
  };
  return {
    kubeconfig,
    consoleKubeconfig: kubeconfig,
    embedded: false,
    kubectl: (...args) => kubectl(kubeconfig, args),
    read: async (apiPath) => JSON.parse(await kubectl(kubeconfig, ['get', '--raw', apiPath])),
    takeDown: refuse,
    bringBack: refuse,
    freeze: refuse,
    thaw: refuse,
    stop: () => child.stop(),
  };
}
