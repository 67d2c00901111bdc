import { expect, it } from 'vitest';
import { inParallel } from './parallel';

it('does so many at a time, and everything', async () => {
  let under = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    most = Math.max(most, ++under);
    await new Promise((resolve) => setImmediate(resolve));
    done.push(item);
    under -= 1;
  });
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

it('ends with the first failure, when what is under way is done', async () => {
  const begun: number[] = [];
  let finished = 0;
  const work = inParallel(2, [1, 2, 3, 4], async (item) => {
    begun.push(item);
    await new Promise((resolve) => setImmediate(resolve));
    if (item === 1) throw new Error('one');
    finished += 1;
  });
  await expect(work).rejects.toThrow('one');
  expect(begun).toEqual([1, 2]);
  expect(finished).toBe(1);
});
