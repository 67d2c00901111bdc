import { requireNode } from './lib/node-version.mjs';

requireNode();
// Loaded only now: older versions of Node could not even read these.
Promise.all([import('./lib/main.mjs'), import('./commands/explain.mjs')]).then(([{ runMain }, { explain }]) =>
  runMain(explain),
);
