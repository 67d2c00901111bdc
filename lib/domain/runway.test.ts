import { describe, expect, it } from 'vitest';
import { standardLimits } from '@/lib/domain/limits';
import { poolStats } from './pools';
import { ago, member, now, pool } from './rows.testing';
import { runwayOf } from './runway';

describe('runwayOf', () => {
  it.each([
    ['12 available, 31.4 claims against 29.4 refills', 12, 31.4, 29.4, { kind: 'empty-in', minutes: 6 }],
    ['refills keep up', 12, 10, 10, { kind: 'steady' }],
    ['more than a day', 3000, 10, 9, { kind: 'steady' }],
    ['nobody claims', 12, 0, 0, { kind: 'idle' }],
    ['nothing left', 0, 5, 5, { kind: 'empty' }],
    ['not watched for long enough', 12, undefined, undefined, { kind: 'unknown' }],
  ] as const)('%s', (_, available, claimsPerMin, refillsPerMin, runway) => {
    const row = pool({ desired: 40, ...(claimsPerMin === undefined ? {} : { claimsPerMin, refillsPerMin }) });
    const stats = poolStats(
      row,
      Array.from({ length: available }, () => member()),
      now,
      standardLimits,
    );
    const result = runwayOf(row, stats);
    expect(result.kind).toBe(runway.kind);
    if ('minutes' in result && 'minutes' in runway) expect(result.minutes).toBeCloseTo(runway.minutes, 6);
  });

  it('does not count on locked ones, and a pool of none is not empty', () => {
    const row = pool({ claimsPerMin: 1, refillsPerMin: 0 });
    expect(runwayOf(row, poolStats(row, [member({ locked: true })], now, standardLimits))).toEqual({ kind: 'empty' });
    const none = pool({ desired: 0, claimsPerMin: 0, refillsPerMin: 0 });
    expect(runwayOf(none, poolStats(none, [], now, standardLimits))).toEqual({ kind: 'idle' });
  });

  const rates = { claimsPerMin: 5, refillsPerMin: 14 };
  const failing = (age: number) => member({ state: 'Creating', since: ago(age), cause: { code: 'ImagePull' } });
  const of = (over: object, rest: ReturnType<typeof member>[]) => {
    const row = pool({ desired: 12, ...rates, claimsLastMin: 5, refillsLastMin: 5, ...over });
    return runwayOf(row, poolStats(row, [...Array.from({ length: 10 }, () => member()), ...rest], now, standardLimits));
  };

  it('counts no refills as soon as what should fill the pool fails, whatever the average still says', () => {
    expect(of({}, [failing(15), failing(5)])).toEqual({ kind: 'empty-in', minutes: 2, unfilled: true });
    expect(of({ refillsLastMin: 0 }, [failing(150), failing(140)])).toEqual({
      kind: 'empty-in',
      minutes: 2,
      unfilled: true,
    });
  });

  it('counts none after a minute without any, whoever is to blame', () => {
    expect(of({ refillsLastMin: 0 }, [])).toMatchObject({ kind: 'empty-in', unfilled: true });
    expect(of({ refillsLastMin: 0, claimsLastMin: 10 }, [])).toMatchObject({ minutes: 1 });
  });

  it('is steady while single members fail, or the last ones have only begun', () => {
    expect(of({}, [failing(15), member({ state: 'Creating', since: ago(3) }), member({ state: 'Creating' })])).toEqual({
      kind: 'steady',
    });
    expect(of({ refillsLastMin: 0 }, [member({ state: 'Creating', since: ago(3) })])).toEqual({ kind: 'steady' });
    expect(of({}, [failing(150), failing(140)])).toEqual({ kind: 'steady' });
  });

  it('calls a pool that was scaled to 0 empty while it is claimed from', () => {
    const row = pool({ desired: 0, ...rates });
    expect(runwayOf(row, poolStats(row, [], now, standardLimits))).toEqual({ kind: 'empty' });
  });
});
