import { describe, expect, it } from 'vitest';
import type { UpgradeTarget } from '@/lib/contracts/upgrade-preview';
import { estimatedMs, impactOf, listChanges } from './impact';

const target = (name: string, over: Partial<UpgradeTarget> = {}): UpgradeTarget => ({
  uid: `u-${name}`,
  name,
  group: 'g',
  phase: 'Running',
  claimed: true,
  ...over,
});

describe('impactOf', () => {
  it('counts sessions by owner, most first, and names deadlines that come meanwhile', () => {
    const impact = impactOf(
      [
        target('a', { owner: 'ann', shutdownAt: 900 }),
        target('b', { owner: 'bob' }),
        target('c', { owner: 'bob', shutdownAt: 100 }),
        target('d', { owner: 'bob', shutdownAt: 1_001 }),
        target('e', { phase: 'Paused' }),
        target('f', { claimed: false, owner: 'nobody' }),
      ],
      1_000,
      ({ owner }) => owner,
    );
    expect(impact.claimed).toBe(5);
    expect(impact.paused).toBe(1);
    expect(impact.sessions).toEqual([
      { session: 'bob', count: 3 },
      { session: 'ann', count: 1 },
      { session: undefined, count: 1 },
    ]);
    expect(impact.ending.map(({ name }) => name)).toEqual(['c', 'a']);
  });
});

describe('estimatedMs', () => {
  it('takes the median batch of earlier operations times the batches', () => {
    const earlier = [
      { elapsedMs: 40_000, total: 8, limit: 2 },
      { elapsedMs: 900_000, total: 3, limit: 3 },
      { elapsedMs: 60_000, total: 9, limit: 3 },
    ];
    expect(estimatedMs(5, earlier)).toBe(100_000);
  });

  it('says nothing without one', () => {
    expect(estimatedMs(5, [])).toBeUndefined();
    expect(estimatedMs(5, [{ elapsedMs: 0, total: 0, limit: 1 }])).toBeUndefined();
  });
});

it('tells who came and who went by uid, not by name', () => {
  const before = [
    { uid: '1', name: 'a' },
    { uid: '2', name: 'b' },
  ];
  const now = [
    { uid: '2', name: 'b' },
    { uid: '3', name: 'a' },
  ];
  expect(listChanges(before, now)).toEqual({
    added: [{ uid: '3', name: 'a' }],
    missing: [{ uid: '1', name: 'a' }],
  });
});
