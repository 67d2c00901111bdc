import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { taskRequest } from '@/lib/contracts/tasks';
import { type History, HistoryUnavailable, makeHistory } from '../history/database';
import { freshSteps } from './record';
import { taskRecordOf } from './record.testing';
import type { RunContext } from './run-context';
import { TaskStore } from './store';
import { Tasks } from './tasks';

let dir: string;
let history: History;
let store: TaskStore;
let tasks: Tasks | undefined;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'queue-'));
  history = makeHistory(dir);
  store = new TaskStore(history);
});
afterEach(async () => {
  vi.useRealTimers();
  await tasks?.stop();
  await history.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Of the API server of the cluster. */
let isAway = false;
let answers = () => {};
const claim = vi.fn<RunContext['e2b']['claim']>(() => Promise.reject(new Error('no stock')));

/** The tasks of a console whose manager has nothing to give. */
function tasksOf({ atOnce = 0, isShared = false } = {}): Tasks {
  const e2b = { own: async () => [], claim } as unknown as RunContext['e2b'];
  const watch = {
    rows: () => [],
    row: () => undefined,
    onChange: () => () => undefined,
    freshness: () => ({ kinds: [{ kind: 'sandboxes', state: isAway ? 'degraded' : 'live' }] }),
    onState: (listener: () => void) => {
      answers = listener;
      return () => undefined;
    },
  } as unknown as RunContext['watch'];
  const context = { e2b, watch, secrets: [], now: Date.now, clusterNow: Date.now };
  tasks = new Tasks({ context, store, manager: 'http://manager', atOnce, perPerson: 4, keepDays: 14, isShared });
  return tasks;
}

const asked = taskRequest.parse({ pool: { ns: 'default', name: 'python' }, code: 'print(1)', timeLimitSeconds: 60 });
const file = (bytes: number) => ({ name: 'in.bin', base64: Buffer.alloc(bytes, 'x').toString('base64') });

it('files of tasks that wait are in the database, and not in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const all = tasksOf();
  const submit = async () => {
    const files = [file(1_000)];
    await all.submit('mara', asked, files);
    return new WeakRef(files);
  };
  const waiting = [await submit(), await submit(), await submit()];
  expect(all.status('mara')).toMatchObject({ queued: 3 });
  await vi.waitUntil(() => {
    collect();
    return waiting.every((files) => files.deref() === undefined);
  });
});

it('a task waits while its files cannot be read, and nothing is claimed for it; then it starts', async () => {
  const all = tasksOf({ atOnce: 1 });
  const read = store.contents.inputs.bind(store.contents);
  const inputs = vi.spyOn(store.contents, 'inputs').mockRejectedValue(new HistoryUnavailable('away'));
  const submitted = await all.submit('mara', asked, [file(10)]);
  const id = 'record' in submitted ? submitted.record.id : '';
  await vi.waitUntil(() => inputs.mock.calls.length > 0);
  expect(all.run(id)?.record.state).toBe('queued');
  expect(claim).not.toHaveBeenCalled();
  inputs.mockImplementation(read);
  await vi.waitUntil(() => all.run(id)?.record.problem?.code === 'noStock', { timeout: 10_000 });
  expect(claim).toHaveBeenCalledTimes(1);
});

it('while the API server is away, what waits is not used up: it starts when it is back', async () => {
  isAway = true;
  const all = tasksOf({ atOnce: 4 });
  all.start();
  const submitted = await all.submit('mara', asked, []);
  const id = 'record' in submitted ? submitted.record.id : '';
  expect(all.ahead(id)).toBe(0);
  isAway = false;
  answers();
  expect(all.ahead(id)).toBeUndefined();
  await vi.waitUntil(() => all.run(id)?.record.problem?.code === 'noStock', { timeout: 10_000 });
});

it('one that waits for its files can be cancelled', async () => {
  const all = tasksOf({ atOnce: 1 });
  const inputs = vi.spyOn(store.contents, 'inputs').mockRejectedValue(new HistoryUnavailable('away'));
  const submitted = await all.submit('mara', asked, [file(10)]);
  const id = 'record' in submitted ? submitted.record.id : '';
  await vi.waitUntil(() => inputs.mock.calls.length > 0);
  expect(await all.cancel(id)).toBe(true);
  await vi.waitUntil(() => all.run(id)?.record.state === 'cancelled');
  expect(all.run(id)?.record.steps.map(({ state }) => state)).toEqual(Array(5).fill('skipped'));
});

it('a task that was to end when its console died is taken up to end', async () => {
  await store.add(taskRecordOf('task-1', { state: 'queued' }), { files: [], env: {} }, 'gone');
  await store.runners.askToCancel('task-1');
  tasksOf().start();
  await vi.waitUntil(async () => (await store.find('task-1'))?.state === 'cancelled');
});

it('no step goes on in a task that has ended, though it was cancelled before it was taken up', async () => {
  const steps = freshSteps().map((step) =>
    step.name === 'run' ? { ...step, state: 'running' as const, startedAt: 1 } : step,
  );
  await store.add(taskRecordOf('task-1', { steps, cancelled: true }), { files: [], env: {} }, 'gone');
  tasksOf().start();
  const ended = await vi.waitUntil(async () => {
    const record = await store.find('task-1');
    return record?.endedAt === undefined ? undefined : record;
  });
  expect(ended.steps.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'failed', 'skipped', 'skipped']);
});

it.each([
  ['that is shared, it looks every now and then for what others were told', true, 4],
  ['of its own, it asks for none', false, 0],
])('on a database %s', async (_what, isShared, times) => {
  const toCancel = vi.spyOn(store.runners, 'toCancel');
  const all = tasksOf({ isShared });
  await all.submit('mara', asked, []);
  vi.useFakeTimers({ toFake: ['setInterval'] });
  all.start();
  // With its first round of care.
  while (toCancel.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(8_000);
  expect(toCancel).toHaveBeenCalledTimes(1 + times);
});
