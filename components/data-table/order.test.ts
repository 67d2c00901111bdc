import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countHeld, sortRows } from './order';

describe('sortRows', () => {
  const rows = [
    { id: 'c', n: 2 },
    { id: 'a', n: undefined },
    { id: 'b', n: 2 },
    { id: 'd', n: 10 },
  ];
  const ids = (desc: boolean) =>
    sortRows(
      rows,
      (row) => row.n,
      desc,
      (row) => row.id,
    ).map((row) => row.id);

  it('puts rows without a value last in both directions, and equals by id', () => {
    expect(ids(false)).toEqual(['b', 'c', 'd', 'a']);
    expect(ids(true)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('orders equals by a second value, turned round with the first, and only where there is a first', () => {
    const equal = [
      { id: 'new', n: 1, tie: 5 },
      { id: 'z', n: undefined, tie: 9 },
      { id: 'old', n: 1, tie: 8 },
      { id: 'y', n: undefined, tie: 3 },
      { id: 'unknown', n: 1, tie: undefined },
    ];
    const order = (desc: boolean) =>
      sortRows(
        equal,
        (row) => row.n,
        desc,
        (row) => row.id,
        (row) => row.tie,
      ).map((row) => row.id);
    expect(order(true)).toEqual(['old', 'new', 'unknown', 'y', 'z']);
    expect(order(false)).toEqual(['new', 'old', 'unknown', 'y', 'z']);
  });

  it('orders numbers inside names as numbers', () => {
    const names = ['worker-10', 'worker-9', 'worker-1'].map((id) => ({ id }));
    const sorted = sortRows(
      names,
      (row) => row.id,
      false,
      (row) => row.id,
    );
    expect(sorted.map((row) => row.id)).toEqual(['worker-1', 'worker-9', 'worker-10']);
  });
});

describe('countHeld', () => {
  it('counts what came, went and moved', () => {
    expect(countHeld(['a', 'b', 'c'], ['a', 'b', 'c'])).toBe(0);
    expect(countHeld(['a', 'b', 'c'], ['c', 'a', 'b'])).toBe(1);
    expect(countHeld(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe(2);
  });

  it('is the least number of rows to take out and put in', () => {
    const lists = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 });
    fc.assert(
      fc.property(lists, lists, (shown, wanted) => {
        const held = countHeld(shown.map(String), wanted.map(String));
        const staying = shown.filter((n) => wanted.includes(n));
        let best = 0;
        for (let mask = 0; mask < 2 ** staying.length; mask++) {
          const kept = staying.filter((_, index) => mask & (2 ** index));
          const inOrder = kept.every(
            (n, index) => index === 0 || wanted.indexOf(n) > wanted.indexOf(kept[index - 1] ?? n),
          );
          if (inOrder) best = Math.max(best, kept.length);
        }
        expect(held).toBe(shown.length + wanted.length - staying.length - best);
      }),
    );
  });
});
