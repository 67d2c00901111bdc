import 'server-only';
import type { TasksQuery, TasksReply } from '@/lib/contracts/tasks';
import { summaryOf } from '../../tasks/record';
import { ok, type Result } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import { runnerOf, type TasksContext } from './tasks-context';

/** The person's own tasks, newest first. Where tasks are not set up there is what was run before. */
export async function listTasks(ctx: TasksContext, query: TasksQuery): Promise<Result<TasksReply>> {
  const time = Date.now();
  const runner = runnerOf(ctx);
  if (runner.state === 'off' && runner.missing.includes('CONSOLE_DATA_DIR')) return ok({ time, runner, tasks: [] });
  try {
    const { tasks, next } = await ctx.store.list(ctx.principal.subject, query);
    const shown = tasks.map((record) => {
      // What runs here is newer than what is stored of it.
      const running = 'missing' in ctx.tasks ? undefined : ctx.tasks.run(record.id);
      return summaryOf(running?.record ?? record);
    });
    return ok({ time, runner, tasks: shown, ...(next === undefined ? {} : { next }) });
  } catch (error) {
    return refusedByHistory(error);
  }
}
