import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultLimits } from './limits';
import { railPosition } from './rail';

const limits = { warn: 30_000, breach: 120_000 };

it.each([
  [0, 0],
  [15_000, 0.2],
  [30_000, 0.4],
  [75_000, 0.55],
  [120_000, 0.7],
  [1_200_000, 1],
  [1e12, 1],
  [-1, 0],
  [Number.NaN, 0],
])('%d ms stands at %d', (ms, position) => {
  expect(railPosition(ms, limits)).toBeCloseTo(position, 9);
});

it('never goes back and never leaves the rail, whatever the limits', () => {
  const pairs = Object.values(defaultLimits);
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      fc.double({ min: 0, noNaN: true }),
      fc.double({ min: 0, noNaN: true }),
      (pair, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((ms) => railPosition(ms, pair));
        expect(low).toBeLessThanOrEqual(high ?? 0);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      },
    ),
  );
});
