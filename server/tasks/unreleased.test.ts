import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TaskMessage, taskMessage } from '@/lib/contracts/tasks';
import type { HttpDoor } from '../embedded/e2b/http-door';
import { streamTask } from '../services/tasks/stream-task';
import type { TasksContext } from '../services/tasks/tasks-context';
import { fakeCluster } from '../services/testing/fake-cluster';
import { summaryOf } from './record';
import type { Tasks } from './tasks';
import { submit, type TasksWorld, tasksWorld } from './testing';

let world: TasksWorld;
beforeAll(async () => {
  world = await tasksWorld();
}, 120_000);
afterAll(() => world.close());

let mends: (() => void)[] = [];
const mend = () => {
  for (const each of mends) each();
  mends = [];
};
afterEach(async () => {
  vi.useRealTimers();
  mend();
  await vi.waitUntil(() => world.claimed().length === 0, { timeout: 60_000 });
});

/** What is behind a door is away for requests whose line has these words. */
const away = (door: HttpDoor, words: RegExp) => {
  const answer = { status: 503, body: 'no healthy upstream' };
  mends.push(door.add(({ method, url }) => (words.test(`${method} ${url}`) ? { answer } : undefined)));
};
const stateOf = (steps: { name: string; state: string }[], name: string) =>
  steps.find((step) => step.name === name)?.state;

/** What a page that opens a task is told, until its end. */
async function follow(tasks: Tasks, id: string, told: TaskMessage[]) {
  const { ctx } = fakeCluster();
  const scope = () => Promise.reject(new Error('not asked for'));
  const context: TasksContext = { ...ctx, tasks, store: world.store, scope };
  const answer = await streamTask(context, id, -1, new AbortController().signal);
  if (!(answer instanceof Response)) throw new Error('refused');
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    for (const [, data] of part.matchAll(/^data: (.*)$/gm)) told.push(taskMessage.parse(JSON.parse(data ?? '')));
  }
}

describe('a task whose sandbox could not be given back says when nothing of it is claimed any more', () => {
  it('when there was none: also to a page that is open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const tasks = await world.start();
    away(world.door.manager, /./);
    const id = await submit(tasks, 'print(1)');
    const ended = await world.ended(tasks, id);
    expect(ended).toMatchObject({ problem: { code: 'managerAway' }, notes: [{ code: 'notReleased' }] });
    expect(summaryOf(ended).unreleased).toBe(true);
    const told: TaskMessage[] = [];
    const following = follow(tasks, id, told);
    await vi.waitUntil(() => told.some((message) => message.type === 'task' && message.task.unreleased));
    mend();
    // The next round of care.
    vi.advanceTimersByTime(30_000);
    await following;
    const last = told.findLast((message) => message.type === 'task');
    expect(last?.task).toMatchObject({ state: 'error', notes: [{ code: 'settled' }] });
    expect(last?.task.unreleased).toBeUndefined();
    expect(stateOf(last?.task.steps ?? [], 'release')).toBe('skipped');
  }, 60_000);

  it('when it is given back after a restart', async () => {
    const tasks = await world.start();
    away(world.door.manager, /^DELETE/);
    away(world.door.gateway, /./);
    const id = await submit(tasks, 'print(1)');
    const ended = await world.ended(tasks, id);
    expect(ended.sandbox?.releasedAt).toBeUndefined();
    expect(stateOf(ended.steps, 'release')).toBe('failed');
    await tasks.run(id)?.stored(5_000);
    mend();
    await world.start();
    const settled = await vi.waitUntil(
      async () => {
        const record = await world.store.find(id);
        return record && stateOf(record.steps, 'release') !== 'failed' ? record : undefined;
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(settled).toMatchObject({
      state: 'error',
      sandbox: { releasedAt: expect.any(Number) },
      notes: [{ code: 'settled', detail: expect.stringContaining('no healthy upstream') }],
    });
    expect(stateOf(settled.steps, 'release')).toBe('done');
  }, 60_000);
});
