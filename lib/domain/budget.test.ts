import { expect, it } from 'vitest';
import { resolveIntOrPercent, rolloutBudget, scaleRoom, upgradeLimit } from './budget';

it.each([
  [2, 10, 2],
  ['20%', 10, 2],
  ['20%', 3, 1],
  ['20%', 1, 1],
  ['7%', 100, 7],
  ['150%', 4, 6],
  ['0%', 9, 0],
  [-1, 9, -1],
  ['2', 9, undefined],
  ['many', 9, undefined],
  [undefined, 9, undefined],
])('%s of %d is %s, percentages rounded up', (value, total, resolved) => {
  expect(resolveIntOrPercent(value, total)).toBe(resolved);
});

it.each([
  [undefined, 40, 1],
  [0, 40, 1],
  ['0%', 40, 1],
  [-3, 40, 1],
  ['x', 40, 1],
  ['10%', 40, 4],
  ['10%', 0, 1],
  [6, 40, 6],
])('an update with maxUnavailable %s of %d runs %d at a time', (value, total, limit) => {
  expect(upgradeLimit(value, total)).toBe(limit);
});

it('a rolling update replaces 20 % at once unless told otherwise, none with 0', () => {
  expect(rolloutBudget(undefined, 6)).toBe(2);
  expect(rolloutBudget(0, 6)).toBe(0);
  expect(rolloutBudget(-1, 6)).toBe(0);
});

it('creating ones use up the room of scaleStrategy', () => {
  expect(scaleRoom({ scaleMax: '25%', desired: 24 }, 4)).toBe(2);
  expect(scaleRoom({ scaleMax: 6, desired: 24 }, 9)).toBe(0);
  expect(scaleRoom({ desired: 24 }, 9)).toBeUndefined();
});
