import { describe, expect, it } from 'vitest';
import { maxReplicas } from '@/lib/contracts/writes';
import { parseWhole } from '../../ui';
import { needsConfirmation, sliderMax } from './scale-number';

describe('typed numbers', () => {
  it.each([
    ['0', 0],
    ['12', 12],
    ['012', 12],
    ['2147483647', 2_147_483_647],
  ])('takes %s', (text, value) => expect(parseWhole(text, 0, maxReplicas)).toBe(value));

  it.each(['-1', '1.5', '1e3', '2147483648', '12a', '', '１２'])('refuses %s', (text) =>
    expect(parseWhole(text, 0, maxReplicas)).toBeUndefined(),
  );
});

describe('needsConfirmation', () => {
  it.each([
    [40, 0, 'zero'],
    [0, 0, undefined],
    [40, 60, undefined],
    [3, 12, undefined],
    [10, 1000, 'jump'],
    [0, 30, 'jump'],
    [0, 20, undefined],
    [100, 10, 'jump'],
    [100, 60, undefined],
  ])('from %i to %i: %s', (from, to, kind) => expect(needsConfirmation(from, to)).toBe(kind));
});

describe('sliderMax', () => {
  it.each([
    [40, 40, 120],
    [0, 0, 10],
    [3, 12, 20],
    [40, 500, 500],
    [700, 700, 2100],
  ])('from %i, typed %i: up to %i', (from, to, max) => expect(sliderMax(from, to)).toBe(max));
});
