import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
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
    const at = (age: number) => severityOf(sandbox({ state, since: ago(age) }), now);
    expect([at(warn - 1), at(warn), at(breach - 1), at(breach)]).toEqual(['calm', 'warn', 'warn', 'breach']);
  });

  it.each<SandboxRow['state']>(['Available', 'Running', 'Paused', 'Succeeded', 'Other'])(
    '%s may last for ever',
    (state) => {
      expect(severityOf(sandbox({ state, since: ago(1e9) }), now)).toBe('calm');
    },
  );

  it('needs no clock for what has failed or cannot converge', () => {
    expect(severityOf(sandbox({ state: 'Failed' }), now)).toBe('breach');
    expect(severityOf(sandbox({ state: 'Upgrading', stage: 'PostUpgradeFailed', since: now }), now)).toBe('breach');
    expect(
      severityOf(sandbox({ state: 'Resuming', since: now, cause: { code: 'InitImageMismatch', never: true } }), now),
    ).toBe('breach');
    expect(severityOf(sandbox({ state: 'Resuming', since: now, cause: { code: 'InitImageMismatch' } }), now)).toBe(
      'calm',
    );
  });

  it('leaves alone what is kept for debugging', () => {
    expect(severityOf(sandbox({ state: 'Failed', reserved: true }), now)).toBe('calm');
  });

  it('judges nothing by an unknown start, save a lock that was there from the beginning', () => {
    expect(severityOf(sandbox({ state: 'Pausing' }), now)).toBe('calm');
    expect(severityOf(member({ locked: true }), now)).toBe('warn');
    expect(severityOf(member({ locked: true, since: ago(5) }), now)).toBe('calm');
    expect(severityOf(member({ locked: true, since: ago(1e6) }), now)).toBe('warn');
    expect(severityOf(sandbox({ locked: true, claimed: true }), now)).toBe('calm');
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
    const resuming = overdueBy(sandbox({ state: 'Resuming', since: ago(240) }), now);
    const creating = overdueBy(sandbox({ state: 'Creating', since: ago(400) }), now);
    expect(resuming).toEqual({ ms: seconds(120), ratio: 2 });
    expect(creating?.ratio).toBeLessThan(resuming?.ratio ?? 0);
  });

  it('counts from the warn line when that is all that is passed, and ranks red without a clock above it', () => {
    expect(overdueBy(sandbox({ state: 'Resuming', since: ago(60) }), now)).toEqual({ ms: seconds(30), ratio: 0.5 });
    expect(overdueBy(sandbox({ state: 'Failed' }), now)).toEqual({ ms: 0, ratio: 1 });
    expect(
      overdueBy(sandbox({ state: 'Resuming', since: now, cause: { code: 'InitImageMismatch', never: true } }), now),
    ).toEqual({ ms: 0, ratio: 1 });
    expect(overdueBy(sandbox(), now)).toBeUndefined();
  });
});

it('a failed sandbox needs somebody, but is not late', () => {
  const failed = sandbox({ state: 'Failed' });
  expect([isStuck(failed, now), isOverdue(failed, now)]).toEqual([true, false]);
  const late = sandbox({ state: 'Resuming', since: ago(31) });
  expect([isStuck(late, now), isOverdue(late, now)]).toEqual([true, true]);
});
