import { expect, it, vi } from 'vitest';
import { freshSteps } from '../../tasks/record';
import { taskRecordOf } from '../../tasks/record.testing';
import type { TaskStore } from '../../tasks/store';
import type { Tasks } from '../../tasks/tasks';
import { fakeCluster } from '../testing/fake-cluster';
import { cancelTask } from './end-task';
import type { TasksContext } from './tasks-context';

it.each(['done', 'running'] as const)(
  'one that another console is giving back (run: done, release: %s) is not told to end any more',
  async (state) => {
    const steps = freshSteps().map((step) => (step.name === 'release' ? { ...step, state } : step));
    const store = { find: async () => taskRecordOf('task-000000000001', { steps }) } as unknown as TaskStore;
    const cancel = vi.fn(async () => true);
    const tasks = { run: () => undefined, cancel } as unknown as Tasks;
    const { ctx } = fakeCluster();
    const context: TasksContext = { ...ctx, tasks, store, scope: () => Promise.reject(new Error('not asked for')) };
    expect(await cancelTask(context, 'task-000000000001')).toMatchObject({
      ok: false,
      problem: { code: 'precondition_failed', reason: 'taskOver' },
    });
    expect(cancel).not.toHaveBeenCalled();
  },
);
