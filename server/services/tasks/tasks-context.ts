import 'server-only';
import type { TasksReply } from '@/lib/contracts/tasks';
import type { Scope } from '../../access/scope';
import type { TaskRecord } from '../../tasks/record';
import { taskStore, tasks } from '../../tasks/running';
import type { TaskStore } from '../../tasks/store';
import type { Tasks } from '../../tasks/tasks';
import type { ServiceContext } from '../context';
import { ok, type Result, refuse } from '../result';
import { serviceContext } from '../service-context';
import { refusedByHistory } from '../upgrades/upgrade-context';

export type TasksContext = ServiceContext & {
  tasks: Tasks | { missing: string[] };
  store: TaskStore;
  scope(): Promise<Scope>;
};

export async function tasksContext(call: Parameters<typeof serviceContext>[0]): Promise<TasksContext> {
  return { ...(await serviceContext(call)), tasks: tasks(), store: taskStore() };
}

/** The tasks of this console, or the refusal that says what is missing for there to be any. */
export function setUp({ tasks: all }: TasksContext): Result<Tasks> {
  if (!('missing' in all)) return ok(all);
  return refuse('upstream_unavailable', 'tasksOff', { missing: all.missing.join(', ') }, { applied: 'no' });
}

export const runnerOf = ({ tasks: all, principal }: TasksContext): TasksReply['runner'] =>
  'missing' in all ? { state: 'off', missing: all.missing } : all.status(principal.subject);

/** A task of the person who asks, the newest there is of it; somebody else's is as unknown as one that never was. */
export async function ownTask(ctx: TasksContext, id: string): Promise<Result<TaskRecord>> {
  try {
    const running = 'missing' in ctx.tasks ? undefined : ctx.tasks.run(id);
    const record = running?.record ?? (await ctx.store.find(id));
    if (record?.person === ctx.principal.subject) return ok(record);
  } catch (error) {
    return refusedByHistory(error);
  }
  return refuse('not_found', 'taskUnknown', { task: id }, { applied: 'no' });
}
