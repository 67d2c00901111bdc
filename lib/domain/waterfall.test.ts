import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stay } from '@/lib/contracts/history';
import { now } from './rows.testing';
import { waterfallOf } from './waterfall';

const since = now - 3_600_000;
const stay = (gate: string, from: number | undefined, to?: number): Stay => ({
  state: 'Resuming',
  gate,
  fromSource: from === undefined ? 'unknown' : 'condition',
  ...(from === undefined ? {} : { from: now - from }),
  ...(to === undefined ? {} : { to: now - to }),
});
const place = (stays: Stay[], more: Partial<Parameters<typeof waterfallOf>[1]> = {}) => {
  const found = waterfallOf(stays, { now, since, ...more });
  if (!found) throw new Error('nothing to place');
  return found;
};

describe('waterfallOf', () => {
  it('has nothing to place without stays', () => {
    expect(waterfallOf([], { now, since })).toBeUndefined();
  });

  it('places bars one after the other, evenly while nothing is much longer', () => {
    const { bars, collapsed } = place([stay('A', 4_000, 3_000), stay('B', 3_000, 1_000), stay('C', 1_000, 0)]);
    expect(bars.map(({ x0, x1 }) => [x0, x1])).toEqual([
      [0, 0.25],
      [0.25, 0.75],
      [0.75, 1],
    ]);
    expect(collapsed).toEqual([]);
  });

  it('gives a stretch without change a fifth of the room, and says how long it was', () => {
    const { bars, collapsed } = place([stay('A', 843_000, 841_000), stay('B', 841_000, 840_000), stay('C', 840_000)]);
    expect(collapsed).toEqual([{ x0: expect.closeTo(0.8), x1: 1, ms: 840_000 }]);
    expect(bars[2]).toMatchObject({ open: true, ms: 840_000, atLeast: false });
    expect((bars[0]?.x1 ?? 0) / (bars[1]?.x1 ?? 1)).toBeCloseTo(2 / 3);
  });

  it('tears the edge of a start that nobody saw, and says how long it was watched at least', () => {
    const { bars } = place([stay('A', undefined, 2_000), stay('B', 2_000)], { since: now - 3_200 });
    expect(bars[0]).toMatchObject({ ms: 1_200, atLeast: true });
    expect(place([stay('A', undefined, 2_000), stay('B', 2_000)], { since: now }).bars[0]?.ms).toBeUndefined();
  });

  it('ends at what was last seen where the console did not watch the end', () => {
    const torn: Stay = { ...stay('A', 9_000), torn: true, seenUntil: now - 6_000 };
    const { bars } = place([torn, stay('B', 3_000)]);
    expect(bars[0]).toMatchObject({ open: false, atLeast: true, ms: 3_000 });
  });

  it('shows where the stay would usually have ended', () => {
    const usual = [{ state: 'Resuming', gate: 'A', count: 9, unknown: 0, p50: 500, p95: 1_000 }];
    const { bars } = place([stay('A', 4_000, 2_000), stay('B', 2_000, 0)], { usual });
    expect(bars[0]?.band).toEqual({ x0: 0.125, x1: 0.25 });
    expect(bars[1]?.band).toBeUndefined();
  });

  it('keeps every bar inside, in order, whatever the stays', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lengths, (each) => {
        let at = each.reduce((sum, ms) => sum + ms, 0);
        const stays = each.map((ms, i) => {
          const from = at;
          at -= ms;
          return stay(`G${i}`, from, at);
        });
        const { bars, ticks } = place(stays);
        let before = 0;
        for (const { x0, x1 } of bars) {
          expect(x0).toBeGreaterThanOrEqual(before - 1e-9);
          expect(x1).toBeGreaterThanOrEqual(x0);
          expect(x1).toBeLessThanOrEqual(1);
          before = x0;
        }
        expect(ticks.length).toBeLessThanOrEqual(12);
      }),
    );
  });
});
