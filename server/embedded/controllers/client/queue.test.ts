import { expect, it } from 'vitest';
import { WorkQueue } from './queue';

it('handles one key at a time, and again when it was added meanwhile', async () => {
  let running = 0;
  let most = 0;
  const done: string[] = [];
  const queue = new WorkQueue('test', 4, async (key) => {
    running += 1;
    most = Math.max(most, running);
    if (done.length === 0) queue.add(key);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    done.push(key);
    return undefined;
  });
  queue.start();
  queue.add('a');
  queue.add('a');
  await expect.poll(() => done).toEqual(['a', 'a']);
  expect(most).toBe(1);
  queue.stop();
});

it('brings a failing key back later each time, and at once after a success', async () => {
  const times: number[] = [];
  const queue = new WorkQueue('test', 1, async () => {
    times.push(Date.now());
    if (times.length < 5) throw new Error('not yet');
    return undefined;
  });
  queue.start();
  queue.add('a');
  await expect.poll(() => times.length).toBe(5);
  const [first = 0, , , , last = 0] = times;
  // 5 + 10 + 20 + 40 ms.
  expect(last - first).toBeGreaterThanOrEqual(70);
  queue.stop();
});

it('keeps the earlier of two times', async () => {
  let calls = 0;
  const queue = new WorkQueue('test', 1, async () => {
    calls += 1;
    return undefined;
  });
  queue.start();
  queue.addAfter('a', 60_000);
  queue.addAfter('a', 1);
  queue.addAfter('a', 60_000);
  await expect.poll(() => calls).toBe(1);
  queue.stop();
});

it('looks at a change later when told to, and still at each one that comes while it works', async () => {
  const seen: number[] = [];
  let value = 0;
  const queue = new WorkQueue(
    'test',
    1,
    async () => {
      seen.push(value);
      if (seen.length === 1) queue.add('a');
      return undefined;
    },
    5,
  );
  queue.start();
  queue.add('a');
  value = 1;
  await expect.poll(() => seen).toEqual([1, 1]);
  queue.stop();
});
