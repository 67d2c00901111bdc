import { afterEach, expect, it, vi } from 'vitest';
import { type TaskMessage, taskMessage } from '@/lib/contracts/tasks';
import type { TaskListener } from '../../tasks/progress';
import type { TaskRecord } from '../../tasks/record';
import { taskRecordOf } from '../../tasks/record.testing';
import type { TaskStore } from '../../tasks/store';
import type { Tasks } from '../../tasks/tasks';
import { fakeCluster } from '../testing/fake-cluster';
import { streamTask } from './stream-task';
import type { TasksContext } from './tasks-context';

afterEach(() => vi.useRealTimers());

/** A task that runs here, and what a page that follows it has been told. */
async function followed() {
  let listener: TaskListener | undefined;
  const run = {
    record: taskRecordOf('task-000000000001'),
    output: undefined,
    taken: new AbortController().signal,
    listen: (each: TaskListener) => {
      listener = each;
      return () => undefined;
    },
  };
  const tasks = { run: () => run, ahead: () => undefined } as unknown as Tasks;
  const { ctx } = fakeCluster();
  const scope = () => Promise.reject(new Error('not asked for'));
  const context: TasksContext = { ...ctx, tasks, store: {} as TaskStore, scope };
  const end = new AbortController();
  const answer = await streamTask(context, run.record.id, -1, end.signal);
  if (!(answer instanceof Response)) throw new Error('refused');
  const told: TaskMessage[] = [];
  const reading = (async () => {
    let rest = '';
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + part).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) told.push(taskMessage.parse(JSON.parse(data)));
      }
    }
  })();
  return {
    told,
    change(more: Partial<TaskRecord>) {
      run.record = { ...run.record, version: run.record.version + 1, ...more };
      listener?.changed(run.record);
    },
    async close() {
      end.abort();
      await reading;
    },
  };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it('changes are told together in a while, and the end of a task at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { told, change, close } = await followed();
  await turns();
  expect(told).toMatchObject([{ type: 'task', task: { version: 1, state: 'running' } }]);
  change({ version: 2 });
  change({ version: 3 });
  vi.advanceTimersByTime(49);
  await turns();
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await turns();
  expect(told.slice(1)).toMatchObject([{ type: 'task', task: { version: 3 } }]);
  change({ version: 4 });
  change({ version: 5, state: 'succeeded', exitCode: 0, endedAt: 2_000 });
  vi.advanceTimersByTime(0);
  await turns();
  expect(told.slice(2)).toMatchObject([{ type: 'task', task: { version: 5, state: 'succeeded' } }, { type: 'ended' }]);
  await close();
});
