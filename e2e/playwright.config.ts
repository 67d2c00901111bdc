import { defineConfig } from '@playwright/test';

// Set by `npm run e2e` and `npm test`, which find a browser and try it; without them Playwright uses its own.
const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = process.env;

/** Thousands of objects, and limits of time. */
const large = /(large|matrix)\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Each worker has a cluster and a console of its own: what a test does to them, the next one there sees. Most of the time
  // they wait for the clocks of that cluster: there are more of them than cores.
  workers: process.env.E2E_KUBECONFIG ? 1 : 3,
  fullyParallel: true,
  projects: [
    { name: 'pages', testIgnore: large },
    // Beside one another they would measure each other.
    { name: 'large', testMatch: large, workers: 1 },
  ],
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  // A cluster that is not ours is not broken on purpose, and does not run the webhooks of agents.kruise.io here.
  ...(process.env.E2E_KUBECONFIG ? { grepInvert: /@fault|@webhooks/ } : {}),
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing makes every test slower by a third. To look closer: npm run e2e -- --trace retain-on-failure
    trace: 'off',
    screenshot: 'only-on-failure',
    video: 'off',
    launchOptions: {
      ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}),
      chromiumSandbox: CHROMIUM_SANDBOX === '1',
      args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
});
