import path from 'node:path';
import { test as base } from '@playwright/test';
import { startConsole } from '../../server/bin/lib/console.mjs';
import { cacheDir } from '../../server/bin/lib/paths.mjs';
import { claimPort } from '../../server/bin/lib/ports.mjs';
import { type Cluster, joinCluster, startCluster } from './cluster';
import { randomName } from './objects';
import { removeAgentsKinds, removeNamespace } from './removals';

export { expect } from '@playwright/test';

interface TestFixtures {
  /** A namespace of this test alone, gone after it. */
  namespace: string;
}

interface WorkerFixtures {
  /** What the embedded cluster starts with; a file of tests may choose: `test.use({ scenario: 'lively' })`. */
  scenario: string;
  /** How many sandboxes a scenario that scales makes. */
  sandboxes: number | undefined;
  /** False: the cluster has lost the agents.kruise.io kinds before the console comes. */
  agents: boolean;
  cluster: Cluster;
  /** The built console on that cluster. */
  consoleUrl: string;
}

/** Tests of the console in a browser. Paths in `page.goto` are the console's; cluster and console live as long as the worker. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  scenario: ['empty', { scope: 'worker', option: true }],
  sandboxes: [undefined, { scope: 'worker', option: true }],
  agents: [true, { scope: 'worker', option: true }],
  cluster: [
    async ({ scenario, sandboxes, agents }, use, { parallelIndex }) => {
      const given = process.env.E2E_KUBECONFIG;
      const dir = path.join(cacheDir, 'e2e', `cluster-${parallelIndex}`);
      const cluster = given ? await joinCluster(given, dir) : await startCluster(dir, scenario, sandboxes);
      if (!agents) await removeAgentsKinds(cluster);
      await use(cluster);
      await cluster.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  consoleUrl: [
    async ({ cluster }, use, { parallelIndex }) => {
      const port = await claimPort(0, '127.0.0.1');
      const server = await startConsole({
        port,
        kubeconfig: cluster.consoleKubeconfig,
        embedded: cluster.embedded,
        e2b: cluster.e2b,
        data: path.join(cacheDir, 'e2e', `data-${port}`),
        log: path.join(cacheDir, 'e2e', `console-${parallelIndex}.log`),
      });
      await use(server.url);
      await server.process.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ consoleUrl }, use) => use(consoleUrl),
  namespace: async ({ cluster }, use) => {
    const name = randomName('e2e');
    await cluster.api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await use(name);
    await removeNamespace(cluster, name);
  },
});
