import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultExclude, defineConfig } from 'vitest/config';

/** Tests that have a document; they mock modules. */
const pages = ['{app,components}/**/*.test.{ts,tsx}', 'lib/**/*.test.tsx'];

/** Tests with a process of their own, because they take long and are about time. */
const alone = [
  'server/embedded/main.test.ts',
  'server/embedded/{conformance,scenarios}/**/*.test.ts',
  'server/explain/healthy/*.test.ts',
];

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      '@': path.resolve(import.meta.dirname),
      // `server-only` throws outside a React server bundle; tests of server code run in plain Node.
      'server-only': path.resolve(import.meta.dirname, 'server/testing/server-only.ts'),
    },
  },
  test: {
    testTimeout: 20_000,
    // Under load, conditions come true later than after the second that is the default.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    // In this order, by name: what takes long is not left for the end.
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'pages',
          include: pages,
          environment: 'jsdom',
          isolate: false,
          setupFiles: 'components/testing/modules-anew.ts',
        },
      },
      {
        extends: true,
        // Modules are loaded once for all files of a worker; loading them took longer than most of these tests. Many wait for
        // the clocks of an embedded cluster: there are more workers than cores.
        test: {
          name: 'together',
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: ['{lib,server}/**/*.test.ts'],
          exclude: [...alone, ...defaultExclude],
          isolate: false,
        },
      },
    ],
  },
});
