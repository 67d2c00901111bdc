import 'server-only';
import { readEnvironment } from '../env';
import { history } from '../history/database';
import { getCluster } from '../kube/cluster';
import { clusterNow } from '../kube/cluster-clock';
import { once } from '../once';
import { e2bAccess } from './config';
import { E2b } from './e2b';
import { TaskStore } from './store';
import { Tasks } from './tasks';

export const taskStore = (): TaskStore => once('tasks.store', () => new TaskStore(history()));

/** The tasks of this process, or the variables that are missing for there to be any. */
export const tasks = (): Tasks | { missing: string[] } =>
  once('tasks', () => {
    const env = readEnvironment();
    const found = e2bAccess(env);
    // What was claimed has to be known after a restart: without a database nothing is.
    const stored = env.CONSOLE_DATABASE_URL ?? env.CONSOLE_DATA_DIR;
    const missing = [
      ...('missing' in found ? found.missing : []),
      ...(stored === undefined ? ['CONSOLE_DATA_DIR'] : []),
    ];
    if ('missing' in found || missing.length > 0) return { missing };
    const { access } = found;
    return new Tasks({
      context: {
        e2b: new E2b(access),
        watch: getCluster(),
        secrets: [access.apiKey],
        now: () => Date.now(),
        clusterNow,
      },
      store: taskStore(),
      manager: new URL(access.apiUrl).origin,
      atOnce: env.CONSOLE_TASKS_AT_ONCE,
      perPerson: env.CONSOLE_TASKS_PER_PERSON,
      keepDays: env.CONSOLE_HISTORY_DAYS,
      isShared: env.CONSOLE_DATABASE_URL !== undefined,
    });
  });

export function startTasks(): void {
  const all = tasks();
  if (!('missing' in all)) all.start();
}

export async function stopTasks(): Promise<void> {
  const all = tasks();
  if (!('missing' in all)) await all.stop();
}
