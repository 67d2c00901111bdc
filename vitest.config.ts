import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

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
    include: ['{app,components,lib,server}/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 20_000,
    // Under load, conditions come true later than after the second that is the default.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
