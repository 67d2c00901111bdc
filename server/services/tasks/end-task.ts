import 'server-only';
import type { TaskReply } from '@/lib/contracts/tasks';
import { isPastCancel, type TaskRecord, taskOf } from '../../tasks/record';
import type { Tasks } from '../../tasks/tasks';
import { recorded } from '../audited';
import { ok, type Result, refuse } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import { ownTask, setUp, type TasksContext } from './tasks-context';

/** Ends it at whatever step it is; what was claimed is given back. */
export const cancelTask = (ctx: TasksContext, id: string): Promise<Result<TaskReply>> =>
  end(ctx, id, 'cancelTask', async (all, record) => {
    if (isPastCancel(record) || !(await all.cancel(id))) {
      return refuse('precondition_failed', 'taskOver', { task: id }, { applied: 'no' });
    }
    return ok({ task: taskOf(all.run(id)?.record ?? record, Date.now()) });
  });

/** Gives a sandbox back that was kept after its task. */
export const releaseTask = (ctx: TasksContext, id: string): Promise<Result<TaskReply>> =>
  end(ctx, id, 'releaseTask', async (all, record) => {
    if (record.endedAt === undefined || record.keptUntil === undefined || record.sandbox === undefined) {
      return refuse('precondition_failed', 'taskOver', { task: id }, { applied: 'no' });
    }
    const released = await all.release(record);
    if ('record' in released) return ok({ task: taskOf(released.record, Date.now()) });
    const { code, detail } = released.problem;
    const values = { sandbox: record.sandbox.id, why: detail ?? code };
    return refuse('upstream_unavailable', 'notGivenBack', values, { applied: 'unknown' });
  });

async function end(
  ctx: TasksContext,
  id: string,
  action: 'cancelTask' | 'releaseTask',
  work: (all: Tasks, record: TaskRecord) => Promise<Result<TaskReply>>,
): Promise<Result<TaskReply>> {
  const all = setUp(ctx);
  if (!all.ok) return all;
  const found = await ownTask(ctx, id);
  if (!found.ok) return found;
  const { pool, sandbox, state } = found.value;
  const intent = {
    action,
    actor: ctx.principal.subject,
    object: { kind: 'SandboxSet', namespace: pool.ns, name: pool.name, uid: '' },
    before: { state },
    after: null,
    summary: sandbox?.id ?? id,
    requestId: ctx.requestId,
  };
  return recorded(ctx, intent, async () => {
    try {
      return await work(all.value, found.value);
    } catch (error) {
      return refusedByHistory(error);
    }
  });
}
