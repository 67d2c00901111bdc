import 'server-only';
import type { E2b } from './e2b';
import type { PoolWatch } from './origin';
import type { TaskStore } from './store';

/** What the tasks of a process have in common. */
export type RunContext = {
  e2b: E2b;
  store: TaskStore;
  watch: PoolWatch;
  installation: string;
  runner: string;
  /** Not to be printed, stored or told. */
  secrets: readonly string[];
  now: () => number;
  clusterNow: () => number;
};
