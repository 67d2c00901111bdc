import { expect, it } from 'vitest';
import { taskRequest } from '@/lib/contracts/tasks';
import { taskRecordOf } from '../../tasks/record.testing';
import type { TaskStore } from '../../tasks/store';
import type { Tasks } from '../../tasks/tasks';
import { listActions } from '../actions/list-actions';
import { fakeCluster } from '../testing/fake-cluster';
import { cancelTask, releaseTask } from './end-task';
import { submitTask } from './submit-task';
import type { TasksContext } from './tasks-context';

const watched = { poolOf: () => undefined, upgradeOf: () => undefined, sandboxOf: () => undefined };

it('what a person did with tasks is in the list of recent actions of that person only', async () => {
  const { ctx } = fakeCluster();
  const running = taskRecordOf('task-000000000001');
  const kept = taskRecordOf('task-000000000002', {
    state: 'failed',
    endedAt: 2_000,
    keptUntil: 9_000,
    sandbox: { id: 'lab--python-x7k', origin: 'warm' },
  });
  const records = [running, kept];
  const tasks = {
    submit: async () => ({ record: running }),
    cancel: async () => true,
    release: async () => ({ record: kept }),
    run: () => undefined,
    ahead: () => undefined,
  } as unknown as Tasks;
  const store = { find: async (id: string) => records.find((each) => each.id === id) } as unknown as TaskStore;
  const mara: TasksContext = { ...ctx, tasks, store, scope: () => Promise.reject(new Error('not asked for')) };
  const request = { pool: running.pool, code: 'print(1)', timeLimitSeconds: 60 };
  expect(await submitTask(mara, taskRequest.parse(request))).toMatchObject({ ok: true });
  expect(await cancelTask(mara, running.id)).toMatchObject({ ok: true });
  expect(await releaseTask(mara, kept.id)).toMatchObject({ ok: true });
  // Not to be told either: that there is such a task.
  const noor = { ...mara, principal: { ...mara.principal, subject: 'noor' } };
  expect(await cancelTask(noor, running.id)).toMatchObject({ ok: false, problem: { reason: 'taskUnknown' } });

  const shown = (to: TasksContext) => {
    const listed = listActions({ ...to, ...watched }, { maySee: () => true });
    return listed.ok && listed.value.actions.map(({ action }) => action);
  };
  expect(shown(mara)).toEqual(['releaseTask', 'cancelTask', 'runTask']);
  expect(shown(noor)).toEqual([]);
});
