import 'server-only';
import { activeStates, type TaskProblem } from '@/lib/contracts/tasks';
import { log } from '../log';
import { sandboxesOf } from './origin';
import { problemOf } from './problems';
import { settled, type TaskRecord } from './record';
import type { RunContext } from './run-context';

type Sweep = {
  context: RunContext;
  /** The newest of one that this process has in hand. */
  known(task: string): TaskRecord | undefined;
  /** Changes one that has ended. */
  amend(record: TaskRecord, change: Partial<TaskRecord>): Promise<unknown>;
};

export function warn(key: string, { code, detail }: TaskProblem, more: { sandbox?: string } = {}): void {
  log.warn({ key, code, why: detail, ...more });
}

/**
 * The manager's own list says what is claimed: a sandbox of a task that has ended or is not known is given back. Of tasks that
 * could not give theirs back, it is told when nothing is claimed any more.
 */
export async function sweep({ context, known, amend }: Sweep): Promise<void> {
  const { e2b, installation, secrets, store, watch, now } = context;
  // Before the list: one that ends from here on is not judged by it.
  const unreleased = await store.unreleased();
  const [killed, left] = [new Set<string>(), new Set<string>()];
  for (const { id, task } of await e2b.own(installation)) {
    if (await isNeeded(id, task, context, known)) continue;
    log.info({ key: 'task.swept', task, sandbox: id });
    try {
      if (await e2b.kill(id)) killed.add(task);
    } catch (error) {
      left.add(task);
      // The others are given back all the same.
      warn('task.unswept', problemOf(error, 'release', secrets), { sandbox: id });
    }
  }
  for (const stored of unreleased) {
    const record = known(stored.id) ?? stored;
    const isKilled = killed.has(record.id);
    // One that is not ready, or has failed, is in the cluster and not in the list.
    if (left.has(record.id) || (!isKilled && sandboxesOf(watch, record).length > 0)) continue;
    await amend(record, settled(record, isKilled, now()));
  }
}

async function isNeeded(
  sandbox: string,
  task: string,
  { store, now }: RunContext,
  knownOf: Sweep['known'],
): Promise<boolean> {
  const known = knownOf(task);
  // What another process runs is its own to sweep: only there it is known what was claimed last.
  if (!known && (await store.isActive(task))) return true;
  const record = known ?? (await store.find(task));
  if (!record) return false;
  const own = record.sandbox?.id;
  // One that runs here may have one more than it knows of: what a claim brought whose answer was lost.
  if (activeStates.has(record.state)) return own === undefined || own === sandbox;
  return own === sandbox && record.keptUntil !== undefined && record.keptUntil > now();
}
