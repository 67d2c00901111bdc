import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StepName } from '@/lib/contracts/tasks';
import type { HttpDoor } from '../embedded/e2b/http-door';
import { cancelTask } from '../services/tasks/end-task';
import type { TasksContext } from '../services/tasks/tasks-context';
import { fakeCluster } from '../services/testing/fake-cluster';
import type { Tasks } from './tasks';
import { person, printed, submit, type TasksWorld, tasksWorld } from './testing';

let world: TasksWorld;
let tasks: Tasks;
beforeAll(async () => {
  world = await tasksWorld();
  tasks = await world.start();
}, 120_000);
afterAll(() => world.close());

let mends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const mend of mends) await mend();
  mends = [];
  await vi.waitUntil(() => world.claimed().length === 0, { timeout: 60_000 });
});

/** What a door says to requests whose line has these words. */
const at = (door: HttpDoor, words: RegExp, say: object) =>
  mends.push(door.add(({ method, url }) => (words.test(`${method} ${url}`) ? say : undefined)));

const stepOf = (id: string, name: StepName) => tasks.run(id)?.record.steps.find((step) => step.name === name);
const begins = (id: string, name: StepName) =>
  vi.waitUntil(() => stepOf(id, name)?.state === 'running', { timeout: 60_000, interval: 10 });

/** As a person cancels it. */
async function cancel(id: string) {
  const { ctx } = fakeCluster();
  const scope = () => Promise.reject(new Error('not asked for'));
  const context: TasksContext = { ...ctx, tasks, store: world.store, scope };
  expect(context.principal.subject).toBe(person);
  return cancelTask(context, id);
}

describe('a task that is cancelled', () => {
  it('while its files are written runs no code, and gives its sandbox back', async () => {
    at(world.door.gateway, /^POST \/files/, { delayMs: 1_000 });
    const id = await submit(tasks, 'print(1)');
    await begins(id, 'write');
    expect(await cancel(id)).toMatchObject({ ok: true, value: { task: { state: 'cancelling' } } });
    const ended = await world.ended(tasks, id);
    expect(ended).toMatchObject({ state: 'cancelled', sandbox: { releasedAt: expect.any(Number) } });
    expect(ended.steps.map(({ state }) => state)).toEqual(['done', 'failed', 'skipped', 'skipped', 'done']);
    expect(ended.problem).toBeUndefined();
  }, 60_000);

  it('while its results are fetched does not wait for them, and gives its sandbox back', async () => {
    const delayMs = 10_000;
    at(world.door.gateway, /ListDir/, { delayMs });
    const id = await submit(tasks, "print('done')");
    await begins(id, 'collect');
    expect(await cancel(id)).toMatchObject({ ok: true });
    const ended = await world.ended(tasks, id);
    const { startedAt = 0, endedAt = Number.POSITIVE_INFINITY } =
      ended.steps.find(({ name }) => name === 'collect') ?? {};
    expect(endedAt - startedAt).toBeLessThan(delayMs);
    expect(ended).toMatchObject({ state: 'cancelled', exitCode: 0, sandbox: { releasedAt: expect.any(Number) } });
    expect(await printed(world, tasks, id)).toBe('done\n');
  }, 60_000);

  it('while its sandbox is given back is told that it is too late, and ends as it did', async () => {
    at(world.door.manager, /^DELETE/, { delayMs: 1_000 });
    const id = await submit(tasks, 'print(1)');
    await begins(id, 'release');
    const before = tasks.run(id)?.record;
    expect(await cancel(id)).toMatchObject({ ok: false, problem: { code: 'precondition_failed', reason: 'taskOver' } });
    expect(tasks.run(id)?.record).toEqual(before);
    expect(await world.ended(tasks, id)).toMatchObject({
      state: 'succeeded',
      exitCode: 0,
      sandbox: { releasedAt: expect.any(Number) },
    });
  }, 60_000);
});

it('a start that the runtime refuses is its own problem, and not a lost connection', async () => {
  at(world.door.gateway, /Process\/Start/, { answer: { status: 403, body: 'no' } });
  const ended = await world.ended(tasks, await submit(tasks, 'print(1)'));
  expect(ended).toMatchObject({
    state: 'error',
    problem: { code: 'oddAnswer', detail: expect.stringContaining('permission_denied') },
    notes: [],
    sandbox: { releasedAt: expect.any(Number) },
  });
}, 60_000);

it('a runtime that never answers again leaves the result unknown, since when it was not heard, and is no time limit', async () => {
  let ahead = 0;
  tasks = await world.start({ now: () => Date.now() + ahead });
  const timeLimitSeconds = 8;
  const id = await submit(tasks, "import time\nprint('begun')\ntime.sleep(2)", { timeLimitSeconds });
  await vi.waitUntil(() => tasks.run(id)?.output?.counts.chunks, { timeout: 60_000 });
  await world.door.runtimes.killRuntimes();
  mends.push(() => world.door.runtimes.restartRuntimes());
  await vi.waitUntil(() => tasks.run(id)?.record.notes.some(({ code }) => code === 'connectionLost'), {
    timeout: 5_000,
  });
  const since = Date.now();
  // It may have ended within its limit.
  const overAt = (stepOf(id, 'run')?.startedAt ?? 0) + timeLimitSeconds * 1_000;
  await vi.waitUntil(() => Date.now() > overAt + 200, { timeout: 10_000 });
  expect(tasks.run(id)?.record.problem).toBeUndefined();
  ahead = 60_000;
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({ state: 'unknown', problem: { code: 'resultUnknown', since: expect.any(Number) } });
  expect(Math.abs((ended.problem?.since ?? 0) - since)).toBeLessThan(1_000);
  expect(ended.steps.find(({ name }) => name === 'run')).toMatchObject({ state: 'failed', atMost: true });
  tasks = await world.start();
}, 60_000);

it.each([502, 504])(
  'a gateway that answers %i is told with its status, and without advice to programmers',
  async (status) => {
    at(world.door.gateway, /^POST \/files/, { answer: { status, body: 'upstream away' } });
    const ended = await world.ended(tasks, await submit(tasks, 'print(1)'));
    expect(ended).toMatchObject({ state: 'error', problem: { code: 'gatewayAway', status } });
    expect(ended.problem?.detail).toMatch(/upstream away$/);
  },
  60_000,
);

it('a gateway that is away when the code is started is no sandbox that is gone', async () => {
  at(world.door.gateway, /Process\/Start/, { answer: { status: 502, body: 'upstream away' } });
  const ended = await world.ended(tasks, await submit(tasks, 'print(1)'));
  expect(ended).toMatchObject({ state: 'unknown', problem: { code: 'resultUnknown' } });
}, 60_000);

it('while a sandbox is made for its claim, the task names it', async () => {
  const uncordon = await world.cordon();
  mends.push(uncordon);
  const ids: string[] = [];
  const cold = { pool: { ns: 'default', name: 'python-empty' } };
  for (const code of ['print(1)', 'print(2)']) ids.push(await submit(tasks, code, cold));
  const pending = (id: string) => tasks.run(id)?.record.pending;
  await vi.waitUntil(() => ids.every((id) => pending(id)), { timeout: 10_000 });
  const names = ids.map((id) => pending(id)?.name);
  expect(new Set(names).size).toBe(2);
  await uncordon();
  for (const [n, id] of ids.entries()) {
    const ended = await world.ended(tasks, id);
    expect(ended).toMatchObject({ state: 'succeeded', sandbox: { name: names[n] } });
    expect(ended.pending).toBeUndefined();
  }
}, 60_000);

it('code that nobody knows any more after a lost connection is told as unknown, and not as failed', async () => {
  const id = await submit(tasks, "import time\nprint('begun')\ntime.sleep(60)");
  await vi.waitUntil(() => tasks.run(id)?.output?.counts.chunks, { timeout: 60_000 });
  const headers = { 'Content-Type': 'application/json' };
  at(world.door.gateway, /Process\/List/, { answer: { status: 200, headers, body: '{}' } });
  await world.cutStreams();
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({ state: 'unknown', problem: { code: 'resultUnknown' } });
  expect(ended.exitCode).toBeUndefined();
  expect(ended.notes.map(({ code }) => code)).toEqual(['connectionLost']);
  expect(await printed(world, tasks, id)).toBe('begun\n');
}, 60_000);
