import { expect, it } from 'vitest';
import { nearestRank } from './nearest-rank';

it('is one of the values', () => {
  const values = [10, 20, 30, 40];
  const shares = [0, 0.25, 0.26, 0.5, 0.51, 0.75, 0.99, 1];
  expect(shares.map((share) => nearestRank(values, share))).toEqual([10, 10, 20, 20, 30, 30, 40, 40]);
  expect(nearestRank([7], 0.95)).toBe(7);
});

it('has nothing to say of none', () => {
  expect(nearestRank([], 0.5)).toBeUndefined();
});
