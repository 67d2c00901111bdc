import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DoorRule } from '../embedded/e2b/http-door';
import { person, printed, submit, type TasksWorld, tasksWorld } from './testing';

let world: TasksWorld;
beforeAll(async () => {
  world = await tasksWorld();
}, 120_000);
afterAll(() => world.close());

let mends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const mend of mends) await mend();
  mends = [];
  await vi.waitUntil(() => world.claimed().length === 0, { timeout: 60_000 });
});

const atManager = (rule: DoorRule) => mends.push(world.door.manager.add(rule));
const atGateway = (rule: DoorRule) => mends.push(world.door.gateway.add(rule));
const isCreate: DoorRule = ({ method, url }) => (method === 'POST' && url === '/sandboxes' ? {} : undefined);
const begun = "import time\nprint('begun')\ntime.sleep(60)";

/** Waits until the code of a task runs. */
const runs = (tasks: Awaited<ReturnType<TasksWorld['start']>>, id: string) =>
  vi.waitUntil(() => (tasks.run(id)?.output?.counts.chunks ?? 0) > 0 && tasks.run(id)?.record.sandbox?.name, {
    timeout: 60_000,
  });

describe('a claim that fails says why', () => {
  it.each([
    [429, 'rateLimited', { retryAfterSeconds: 7 }, 'no'],
    [403, 'quota', {}, 'no'],
    [503, 'managerAway', {}, 'no'],
    [504, 'managerAway', {}, 'no'],
    // What it cannot reach is its own.
    [500, 'managerError', { detail: expect.stringContaining('10.0.0.1') }, 'connect ECONNREFUSED 10.0.0.1:6443'],
  ])(
    '%i: %s',
    async (status, code, more, body) => {
      atManager((request) => isCreate(request) && { answer: { status, headers: { 'Retry-After': '7' }, body } });
      const tasks = await world.start();
      const ended = await world.ended(tasks, await submit(tasks, 'print(1)'));
      expect(ended).toMatchObject({ state: 'error', problem: { code, ...more } });
      // Nothing came of it.
      expect(ended.steps.map(({ state }) => state)).toEqual(['failed', 'skipped', 'skipped', 'skipped', 'skipped']);
    },
    60_000,
  );

  it('nobody listens', async () => {
    const tasks = await world.start({ apiUrl: 'http://127.0.0.1:1' });
    const ended = await world.ended(tasks, await submit(tasks, 'print(1)'));
    expect(ended).toMatchObject({ state: 'error', problem: { code: 'managerAway' } });
    // Whether a claim came through is not known: the sweeper looks again.
    expect(ended.notes).toMatchObject([{ code: 'notReleased' }]);
  }, 60_000);

  it('a key that is refused is not told', async () => {
    const apiKey = 'e2b_not_a_key_of_this_manager';
    const tasks = await world.start({ apiKey });
    const ended = await world.ended(tasks, await submit(tasks, 'print(1)'));
    expect(ended.problem?.code).toBe('keyRefused');
    // What was refused has claimed nothing, and nothing is asked of the manager again.
    expect(ended.steps.at(-1)?.state).toBe('skipped');
    expect(ended.notes).toEqual([]);
    expect(JSON.stringify(ended)).not.toContain(apiKey);
  }, 60_000);

  it('no such template', async () => {
    const tasks = await world.start();
    const id = await submit(tasks, 'print(1)', { pool: { ns: 'default', name: 'nobody' } });
    expect((await world.ended(tasks, id)).problem?.code).toBe('templateUnknown');
  }, 60_000);

  it('a pool of the same name in another namespace is not what was asked for', async () => {
    const tasks = await world.start();
    const id = await submit(tasks, 'print(1)', { pool: { ns: 'elsewhere', name: 'python' } });
    const ended = await world.ended(tasks, id);
    expect(ended).toMatchObject({ state: 'error', problem: { code: 'templateUnknown', detail: 'claimed in default' } });
    expect(ended.steps.at(-1)?.state).toBe('done');
  }, 60_000);
});

it('an empty pool is a cold start, and says so', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, 'print(1)', { pool: { ns: 'default', name: 'python-empty' } });
  expect(await world.ended(tasks, id)).toMatchObject({ state: 'succeeded', sandbox: { origin: 'cold' } });
}, 120_000);

it('a command past its limit is stopped, what it printed stays, and the sandbox is given back', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, begun, { timeLimitSeconds: 8 });
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({
    state: 'error',
    problem: { code: 'timeLimit' },
    sandbox: { releasedAt: expect.any(Number) },
    notes: [],
  });
  expect(await printed(world, tasks, id)).toBe('begun\n');
}, 120_000);

it('a command that prints without end is stopped at the limit', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, "while True: print('x' * 100_000)");
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({ state: 'error', problem: { code: 'outputTooLarge' } });
  expect(ended.output.outBytes).toBeLessThanOrEqual(16 * 1024 * 1024);
}, 180_000);

it('a sandbox that is deleted under the code is told apart from a lost connection', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, begun);
  const name = await runs(tasks, id);
  await world.deleteSandbox(String(name));
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({
    state: 'error',
    problem: { code: 'sandboxGone' },
    sandbox: { goneAt: expect.any(Number) },
  });
  expect(ended.sandbox?.releasedAt).toBeUndefined();
  expect(ended.steps.at(-1)?.state).toBe('skipped');
}, 120_000);

it('a lost connection is found again, and the code ends as it would have', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, "import time\nprint('one')\ntime.sleep(4)\nprint('two')");
  await runs(tasks, id);
  await world.cutStreams();
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({ state: 'succeeded', exitCode: 0 });
  expect(ended.notes.map(({ code }) => code)).toEqual(['connectionLost', 'reconnected']);
  expect(await printed(world, tasks, id)).toBe('one\ntwo\n');
}, 120_000);

it('how it ended is found out also when nobody listened at the end', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, "import time, sys\nprint('one')\ntime.sleep(1)\nsys.exit(7)");
  await runs(tasks, id);
  const over = Date.now() + 3_000;
  let away = true;
  atGateway(() => (away ? { answer: { status: 504, body: 'upstream request timeout' } } : undefined));
  await world.cutStreams();
  await vi.waitUntil(() => tasks.run(id)?.record.notes[0]?.code === 'connectionLost', { timeout: 30_000 });
  // Away for longer than the code takes.
  await vi.waitUntil(() => Date.now() > over, { timeout: 10_000 });
  away = false;
  expect(await world.ended(tasks, id)).toMatchObject({ state: 'failed', exitCode: 7 });
}, 120_000);

describe('cancelled', () => {
  it('while it waits in the queue: nothing is claimed', async () => {
    const tasks = await world.start({ atOnce: 1 });
    const first = await submit(tasks, begun);
    const second = await submit(tasks, 'print(1)');
    expect(tasks.ahead(second)).toBe(0);
    expect(await tasks.cancel(second)).toBe(true);
    expect(await world.ended(tasks, second)).toMatchObject({ state: 'cancelled' });
    expect((await world.store.find(second))?.sandbox).toBeUndefined();
    await tasks.cancel(first);
    await world.ended(tasks, first);
  }, 120_000);

  it('while the claim is on its way: what it brings is given back', async () => {
    atManager((request) => isCreate(request) && { delayMs: 1_500 });
    const tasks = await world.start();
    const id = await submit(tasks, 'print(1)');
    await vi.waitUntil(() => tasks.run(id)?.record.steps[0]?.state === 'running');
    expect(await tasks.cancel(id)).toBe(true);
    const ended = await world.ended(tasks, id);
    expect(ended).toMatchObject({ state: 'cancelled', sandbox: { releasedAt: expect.any(Number) } });
  }, 120_000);

  it('while the code runs', async () => {
    const tasks = await world.start();
    const id = await submit(tasks, begun);
    await runs(tasks, id);
    expect(await tasks.cancel(id)).toBe(true);
    const ended = await world.ended(tasks, id);
    expect(ended).toMatchObject({ state: 'cancelled', sandbox: { releasedAt: expect.any(Number) } });
    expect(await tasks.cancel(id)).toBe(false);
  }, 120_000);
});

it('a kept sandbox stays for as long as asked, by the answer of the manager, until it is given back', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, 'raise SystemExit(3)', { afterwards: { do: 'keepOnFailure', minutes: 10 } });
  const ended = await world.ended(tasks, id);
  expect(ended).toMatchObject({ state: 'failed', exitCode: 3 });
  expect(ended.keptUntil).toBeGreaterThan(Date.now() + 9 * 60_000);
  expect(world.claimed()).toHaveLength(1);
  expect(await tasks.release(ended)).toMatchObject({ record: { sandbox: { releasedAt: expect.any(Number) } } });
}, 120_000);

it('one person does not have all the places', async () => {
  const tasks = await world.start({ atOnce: 2, perPerson: 1 });
  const first = await submit(tasks, begun);
  await submit(tasks, 'print(1)');
  expect(tasks.status(person)).toMatchObject({ running: 1, queued: 1, mine: 2 });
  await tasks.cancel(first);
}, 120_000);
