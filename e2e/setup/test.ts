import path from 'node:path';
import { test as base } from '@playwright/test';
import { startConsole } from '../../server/bin/lib/console.mjs';
import { defaultScenario } from '../../server/bin/lib/embedded.mjs';
import { cacheDir } from '../../server/bin/lib/paths.mjs';
import { claimPort } from '../../server/bin/lib/ports.mjs';
import { type Cluster, joinCluster, startCluster } from './cluster';

export { expect } from '@playwright/test';

interface WorkerFixtures {
  /** What the embedded cluster starts with; a file of tests may choose: `test.use({ scenario: 'empty' })`. */
  scenario: string;
  cluster: Cluster;
  /** The built console on that cluster. */
  consoleUrl: string;
}

/** Tests of the console in a browser. Paths in `page.goto` are the console's; cluster and console live as long as the worker. */
export const test = base.extend<object, WorkerFixtures>({
  scenario: [defaultScenario, { scope: 'worker', option: true }],
  cluster: [
    async ({ scenario }, use) => {
      const given = process.env.E2E_KUBECONFIG;
      const cluster = given ? await joinCluster(given) : await startCluster(scenario);
      await use(cluster);
      await cluster.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  consoleUrl: [
    async ({ cluster }, use) => {
      const server = await startConsole({
        port: await claimPort(0, '127.0.0.1'),
        kubeconfig: cluster.consoleKubeconfig,
        embedded: cluster.embedded,
        log: path.join(cacheDir, 'e2e', 'console.log'),
      });
      await use(server.url);
      await server.process.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ consoleUrl }, use) => use(consoleUrl),
});
