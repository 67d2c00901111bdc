import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countHeld, RowSorter } from './order';

describe('RowSorter', () => {
  const rows = [
    { id: 'c', n: 2 },
    { id: 'a', n: undefined },
    { id: 'b', n: 2 },
    { id: 'd', n: 10 },
  ];
  const idOf = ({ id }: { id: string }) => id;
  const sort = <R extends { id: string }>(
    list: readonly R[],
    by: (row: R) => number | string | undefined,
    desc = false,
  ) => new RowSorter<R>().sort(list, by, desc, idOf).map(idOf);

  it('puts rows without a value last in both directions, and equals by id', () => {
    expect(sort(rows, ({ n }) => n)).toEqual(['b', 'c', 'd', 'a']);
    expect(sort(rows, ({ n }) => n, true)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('orders numbers inside names as numbers', () => {
    const names = ['worker-10', 'worker-9', 'worker-1'].map((id) => ({ id }));
    expect(sort(names, idOf)).toEqual(['worker-1', 'worker-9', 'worker-10']);
  });

  it('gives the same order whatever it has sorted before', () => {
    const list = fc.uniqueArray(
      fc.record({
        id: fc.string({ maxLength: 3 }),
        n: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      }),
      { selector: idOf, maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(list, fc.boolean()), { minLength: 2, maxLength: 4 }), (times) => {
        const used = new RowSorter<{ id: string; n: number | undefined }>();
        for (const [wanted, desc] of times) {
          expect(used.sort(wanted, ({ n }) => n, desc, idOf).map(idOf)).toEqual(sort(wanted, ({ n }) => n, desc));
        }
      }),
    );
  });

  it('takes about one comparison a row when little has changed', () => {
    let reads = 0;
    const counted = (id: string, n: number) => ({
      id,
      // A comparison turns each of its two values into text.
      n: { toString: () => `${(reads += 1) && n}` },
    });
    const many = Array.from({ length: 1_000 }, (_, i) => counted(String(i).padStart(4, '0'), (i * 7919) % 1_000));
    const sorter = new RowSorter<(typeof many)[number]>();
    const pass = () => {
      reads = 0;
      sorter.sort(many, ({ n }) => n as unknown as string, false, idOf);
      return reads / 2;
    };
    expect(pass()).toBeGreaterThan(5_000);
    many[500] = counted('0500', 3);
    expect(pass()).toBeLessThan(1_200);
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
