import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { LimitSettings } from '@/lib/contracts/triage';
import { limitChanges, limitsInForce, standardLimits } from '@/lib/domain/limits';
import { ago, member, now, sandbox, seconds } from './rows.testing';
import { dwellOf, isOverdue, isStuck, overdueBy, severityOf } from './severity';

describe('severityOf', () => {
  it.each<[SandboxRow['state'], number, number]>([
    ['Creating', 60, 300],
    ['NotReady', 60, 300],
    ['Pausing', 60, 300],
    ['Resuming', 30, 120],
    ['Initialising', 30, 120],
    ['Upgrading', 600, 1800],
    ['Recycling', 60, 120],
    ['Terminating', 120, 300],
  ])('%s turns amber after %d s and red after %d s', (state, warn, breach) => {
    const at = (age: number) => severityOf(sandbox({ state, since: ago(age) }), now, standardLimits);
    expect([at(warn - 1), at(warn), at(breach - 1), at(breach)]).toEqual(['calm', 'warn', 'warn', 'breach']);
  });

  it.each<SandboxRow['state']>(['Available', 'Running', 'Paused', 'Succeeded', 'Other'])(
    '%s may last for ever',
    (state) => {
      expect(severityOf(sandbox({ state, since: ago(1e9) }), now, standardLimits)).toBe('calm');
    },
  );

  it('takes what has expired and is still there for as late as one that is being deleted', () => {
    const expired = (fields: Partial<SandboxRow>) => severityOf(sandbox(fields), now, standardLimits);
    expect(expired({ shutdownAt: ago(119) })).toBe('calm');
    expect(expired({ shutdownAt: ago(120) })).toBe('warn');
    expect(expired({ state: 'Paused', paused: true, shutdownAt: ago(300) })).toBe('breach');
    expect(expired({ shutdownAt: ago(1e6), created: ago(30) })).toBe('calm');
    expect(expired({ state: 'Resuming', since: ago(40), shutdownAt: ago(-60) })).toBe('warn');
    // Its pause comes first, and may put the end off.
    expect(expired({ shutdownAt: ago(600), pauseAt: ago(900) })).toBe('calm');
    expect(expired({ state: 'Succeeded', shutdownAt: ago(1e6) })).toBe('calm');
    expect(overdueBy(sandbox({ shutdownAt: ago(420) }), now, standardLimits)).toEqual({ ms: 120_000, ratio: 1.4 });
  });

  it('needs no clock for what has failed or cannot converge', () => {
    expect(severityOf(sandbox({ state: 'Failed' }), now, standardLimits)).toBe('breach');
    expect(
      severityOf(sandbox({ state: 'Upgrading', stage: 'PostUpgradeFailed', since: now }), now, standardLimits),
    ).toBe('breach');
    expect(
      severityOf(
        sandbox({ state: 'Resuming', since: now, cause: { code: 'InitImageMismatch', never: true } }),
        now,
        standardLimits,
      ),
    ).toBe('breach');
    expect(
      severityOf(sandbox({ state: 'Resuming', since: now, cause: { code: 'InitImageMismatch' } }), now, standardLimits),
    ).toBe('calm');
  });

  it('leaves alone what is kept for debugging', () => {
    expect(severityOf(sandbox({ state: 'Failed', reserved: true }), now, standardLimits)).toBe('calm');
  });

  it('judges nothing by an unknown start, save a lock that was there from the beginning', () => {
    expect(severityOf(sandbox({ state: 'Pausing' }), now, standardLimits)).toBe('calm');
    expect(severityOf(member({ locked: true }), now, standardLimits)).toBe('warn');
    expect(severityOf(member({ locked: true, since: ago(5) }), now, standardLimits)).toBe('calm');
    expect(severityOf(member({ locked: true, since: ago(1e6) }), now, standardLimits)).toBe('warn');
    expect(severityOf(sandbox({ locked: true, claimed: true }), now, standardLimits)).toBe('calm');
  });
});

describe('dwellOf', () => {
  it('names its source, says "at least" for what was only seen, and is never negative', () => {
    expect(dwellOf(sandbox({ since: ago(5) }), now)).toEqual({ ms: 5000, atLeast: false, from: 'condition' });
    expect(dwellOf(sandbox({ since: ago(5), sinceFrom: 'observed' }), now)).toMatchObject({ ms: 5000, atLeast: true });
    expect(dwellOf(sandbox({ since: now + 900 }), now).ms).toBe(0);
    expect(dwellOf(sandbox(), now)).toEqual({ atLeast: false, from: 'unknown' });
  });
});

describe('overdueBy', () => {
  it('compares states with different limits', () => {
    const resuming = overdueBy(sandbox({ state: 'Resuming', since: ago(240) }), now, standardLimits);
    const creating = overdueBy(sandbox({ state: 'Creating', since: ago(400) }), now, standardLimits);
    expect(resuming).toEqual({ ms: seconds(120), ratio: 2 });
    expect(creating?.ratio).toBeLessThan(resuming?.ratio ?? 0);
  });

  it('counts from the warn line when that is all that is passed, and ranks red without a clock above it', () => {
    expect(overdueBy(sandbox({ state: 'Resuming', since: ago(60) }), now, standardLimits)).toEqual({
      ms: seconds(30),
      ratio: 0.5,
    });
    expect(overdueBy(sandbox({ state: 'Failed' }), now, standardLimits)).toEqual({ ms: 0, ratio: 1 });
    expect(
      overdueBy(
        sandbox({ state: 'Resuming', since: now, cause: { code: 'InitImageMismatch', never: true } }),
        now,
        standardLimits,
      ),
    ).toEqual({ ms: 0, ratio: 1 });
    expect(overdueBy(sandbox(), now, standardLimits)).toBeUndefined();
  });
});

it('a failed sandbox needs somebody, but is not late', () => {
  const failed = sandbox({ state: 'Failed' });
  expect([isStuck(failed, now, standardLimits), isOverdue(failed, now, standardLimits)]).toEqual([true, false]);
  const late = sandbox({ state: 'Resuming', since: ago(31) });
  expect([isStuck(late, now, standardLimits), isOverdue(late, now, standardLimits)]).toEqual([true, true]);
});

describe('limits that somebody has set', () => {
  const of = (states: LimitSettings['states'], pools: LimitSettings['pools']) => limitsInForce({ states, pools });
  const pair = (warn: number, breach: number) => ({ Resuming: { warn: seconds(warn), breach: seconds(breach) } });
  const resuming = (fields: Partial<SandboxRow> = {}) => sandbox({ state: 'Resuming', since: ago(60), ...fields });

  it('count for their state in all pools, and those of a pool before them, in its namespace only', () => {
    const set = of(pair(5, 10), { 'agents/web': pair(100, 200) });
    const judged = [
      resuming(),
      resuming({ pool: 'web' }),
      resuming({ pool: 'api' }),
      resuming({ pool: 'web', ns: 'b' }),
    ];
    expect(judged.map((row) => severityOf(row, now, set))).toEqual(['breach', 'calm', 'breach', 'breach']);
    expect(severityOf(sandbox({ state: 'Pausing', since: ago(70) }), now, set)).toBe('warn');
    expect(overdueBy(resuming(), now, set)).toEqual({ ms: seconds(50), ratio: 6 });
  });

  it('do not call back what never converges', () => {
    const cause = { code: 'InitImageMismatch', never: true } as const;
    expect(severityOf(resuming({ cause }), now, of(pair(1_000, 2_000), {}))).toBe('breach');
  });
});

it('names what differs between two settings', () => {
  const [a, b] = [
    { warn: 1_000, breach: 2_000 },
    { warn: 1_000, breach: 3_000 },
  ];
  const changes = limitChanges(
    { states: { Resuming: a, Pausing: a }, pools: { 'x/y': { Pausing: a } } },
    { states: { Resuming: b, Pausing: a }, pools: { 'x/z': { Pausing: a } } },
  );
  expect(changes).toEqual([
    { state: 'Resuming', before: a, after: b },
    { pool: 'x/y', state: 'Pausing', before: a },
    { pool: 'x/z', state: 'Pausing', after: a },
  ]);
});
