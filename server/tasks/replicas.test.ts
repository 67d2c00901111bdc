import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { HistoryUnavailable } from '../history/database';
import { E2b } from './e2b';
import { freshSteps, type TaskRecord } from './record';
import { person, pool, submit, type TasksWorld, tasksWorld } from './testing';

let world: TasksWorld;
beforeAll(async () => {
  world = await tasksWorld();
}, 120_000);
afterAll(() => world.close());

let mend: () => void = () => undefined;
afterEach(async () => {
  mend();
  await vi.waitUntil(() => world.claimed().length === 0, { timeout: 60_000 });
});

/** A sandbox that is claimed for a task of this installation, by whomever. */
async function claimedFor(task: string) {
  const installation = await world.store.installation('any');
  return new E2b(world.reach).claim({
    template: pool.name,
    installation,
    task,
    lifetimeMs: 300_000,
    onNoStock: 'create',
    signal: new AbortController().signal,
  });
}

const running = (of: TaskRecord, id: string, more: Partial<TaskRecord>): TaskRecord => {
  const { endedAt: _end, keptUntil: _kept, results: _results, ...rest } = of;
  return { ...rest, id, version: 1, state: 'running', results: [], notes: [], ...more };
};

it('what nobody needs is given back, though one of them cannot be; what another process claimed just now is not', async () => {
  const first = await world.start();
  const model = await world.ended(first, await submit(first, 'print(1)'));
  await world.store.runners.beat('another-machine:1:ab');
  const others = running(model, 'task-00000000000a', { steps: freshSteps() });
  await world.store.add(others, { files: [], env: {} }, 'another-machine:1:ab');
  const stuck = await claimedFor('task-00000000000b');
  const kept = await claimedFor(others.id);
  const stray = await claimedFor('task-00000000000c');
  mend = world.door.manager.add(({ method, url }) =>
    method === 'DELETE' && url?.endsWith(stuck.id) ? { answer: { status: 500, body: 'no' } } : undefined,
  );
  await world.start();
  const left = () => world.claimed().map(({ ns, name }) => `${ns}--${name}`);
  await vi.waitUntil(() => !left().includes(stray.id), { timeout: 20_000 });
  expect(left().sort()).toEqual([stuck.id, kept.id].sort());
  mend();
  await world.store.save({ ...others, state: 'cancelled', endedAt: 1 }, 'another-machine:1:ab');
  await world.store.runners.forget('another-machine:1:ab');
  await world.start();
}, 120_000);

it('a process whose task was taken over lets go of it, and of its sandbox', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, "import time\nprint('begun')\ntime.sleep(2)");
  await vi.waitUntil(() => tasks.run(id)?.output?.counts.chunks, { timeout: 60_000 });
  const run = tasks.run(id);
  const told = vi.fn();
  run?.taken.addEventListener('abort', told);
  // As if it had not been heard of for long.
  for (const runner of await world.store.runners.beat('other')) {
    if (runner.id !== 'other') await world.store.runners.forget(runner.id);
  }
  expect((await world.store.runners.takeOver('other')).map((record) => record.id)).toEqual([id]);
  await vi.waitUntil(() => told.mock.calls.length > 0, { timeout: 20_000 });
  expect(tasks.run(id)).toBeUndefined();
  await expect.poll(() => tasks.status(person), { timeout: 20_000 }).toMatchObject({ running: 0 });
  expect(world.claimed()).toHaveLength(1);
  expect((await world.store.find(id))?.endedAt).toBeUndefined();
  await world.store.runners.forget('other');
  expect(await world.ended(await world.start(), id)).toMatchObject({ state: 'succeeded', exitCode: 0 });
}, 120_000);

it('a database that does not answer when a task is taken up is waited for', async () => {
  const first = await world.start();
  const id = await submit(first, "import time\nprint('begun')\ntime.sleep(3)");
  await vi.waitUntil(() => first.run(id)?.output?.counts.chunks, { timeout: 60_000 });
  const away = new HistoryUnavailable('The folder /data does not answer');
  const tail = vi.spyOn(world.store.contents, 'tail').mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  const next = await world.start();
  const ended = await world.ended(next, id);
  expect(tail.mock.calls.length).toBeGreaterThan(2);
  expect(ended).toMatchObject({ state: 'succeeded', exitCode: 0, sandbox: { releasedAt: expect.any(Number) } });
  expect(ended.problem).toBeUndefined();
}, 60_000);

it('code that had ended when its console died ended as it did, also past its limit and with its sandbox gone', async () => {
  const first = await world.start();
  const id = await submit(first, 'print(1)', { afterwards: { do: 'keep', minutes: 10 } });
  const model = await world.ended(first, id);
  await first.run(id)?.stored(5_000);
  const longAgo = Date.now() - 3_600_000;
  const { exitCode: _code, ...unseen } = model;
  const past = running(unseen, 'task-00000000000d', {
    request: { ...model.request, afterwards: { do: 'release' } },
    steps: freshSteps().map((step) => (step.name === 'run' ? { ...step, state: 'running', startedAt: longAgo } : step)),
  });
  const gone = running(model, 'task-00000000000e', {
    sandbox: { id: 'default--gone', origin: 'warm' },
    steps: freshSteps().map((step) => (step.name === 'run' ? { ...step, state: 'done', startedAt: longAgo } : step)),
  });
  for (const record of [past, gone]) await world.store.add(record, { files: [], env: {} }, 'gone');
  await world.store.contents.addOutput(past.id, [
    { seq: 0, at: 1, stream: 'out', text: 'eins\n' },
    { seq: 1, at: 2, stream: 'err', text: 'zwölf\n' },
  ]);
  const next = await world.start();
  const [endedPast, endedGone] = await Promise.all([past, gone].map((record) => world.ended(next, record.id)));
  expect(endedPast).toMatchObject({ state: 'succeeded', exitCode: 0 });
  expect(endedPast?.problem).toBeUndefined();
  // When it ended, nobody saw; what is stored of its output is counted.
  expect(endedPast?.steps.find(({ name }) => name === 'run')).toMatchObject({ state: 'done', atMost: true });
  expect(endedPast?.output).toEqual({ chunks: 2, outBytes: 5, errBytes: 7 });
  expect(endedGone).toMatchObject({ state: 'succeeded', exitCode: 0 });
  expect(endedGone?.problem).toBeUndefined();
  expect(endedGone?.notes.map(({ code }) => code)).toEqual(['adopted', 'resultsLost']);
}, 120_000);
