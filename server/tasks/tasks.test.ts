import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { printed, submit, type TasksWorld, tasksWorld } from './testing';

let world: TasksWorld;

beforeAll(async () => {
  world = await tasksWorld();
}, 120_000);

afterAll(() => world.close());

it('claims a warm sandbox, runs the code, fetches what it wrote, and gives the sandbox back', async () => {
  const tasks = await world.start();
  const code =
    "import os, sys\nprint('hello', os.environ['WHO'])\nprint('oh', file=sys.stderr)\nopen('out.txt', 'w').write(open('in.txt').read().upper())";
  const id = await submit(tasks, code, {
    env: { WHO: 'you' },
    files: [{ name: 'in.txt', base64: Buffer.from('ten ü').toString('base64') }],
  });
  const task = await world.ended(tasks, id);
  expect(task).toMatchObject({
    state: 'succeeded',
    exitCode: 0,
    title: "print('hello', os.environ['WHO'])",
    results: [{ path: 'out.txt', bytes: 6, stored: true }],
    sandbox: { origin: 'warm', releasedAt: expect.any(Number) },
  });
  expect(task.steps.map(({ name, state }) => [name, state])).toEqual([
    ['claim', 'done'],
    ['write', 'done'],
    ['run', 'done'],
    ['collect', 'done'],
    ['release', 'done'],
  ]);
  expect(await printed(world, tasks, id, 'out')).toBe('hello you\n');
  expect(await printed(world, tasks, id, 'err')).toBe('oh\n');
  expect((await world.store.contents.file(id, 'out', 'out.txt'))?.toString()).toBe('TEN Ü');
  await vi.waitUntil(() => tasks.run(id)?.record.sandbox?.refill !== undefined, { timeout: 10_000 });
  expect(world.claimed()).toEqual([]);
  await world.isFull();
}, 120_000);

it('tells a traceback and the exit code of code that fails', async () => {
  const tasks = await world.start();
  const id = await submit(tasks, 'def f():\n    raise ValueError("no")\nf()');
  expect(await world.ended(tasks, id)).toMatchObject({ state: 'failed', exitCode: 1, results: [] });
  expect(await printed(world, tasks, id, 'err')).toMatch(/Traceback[\s\S]*task\.py", line 2[\s\S]*ValueError: no/);
}, 120_000);
