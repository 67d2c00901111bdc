import { describe, expect, it } from 'vitest';
import { standardLimits } from '@/lib/domain/limits';
import { cohortsOf, partsOfKey } from './cohorts';
import { ago, now, sandbox } from './rows.testing';
import { coverage } from './triage';

const digest = { code: 'InitImageMismatch' as const, never: true as const, image: 'reg/runtime:v1@sha256:9f…' };
const hung = (fields: Parameters<typeof sandbox>[0] = {}) =>
  sandbox({ state: 'Resuming', phase: 'Resuming', pool: 'tools', since: ago(600), cause: digest, ...fields });

describe('cohortsOf', () => {
  it('says how many of a cohort share a node, a revision and an image', () => {
    const rows = Array.from({ length: 37 }, (_, i) =>
      hung({ node: i === 0 ? 'node-7' : 'node-12', hash: i < 20 ? 'new' : 'old', claimed: true }),
    );
    const [one, ...others] = cohortsOf(rows, [], now, standardLimits);
    expect(others).toEqual([]);
    expect(one?.rows).toHaveLength(37);
    expect(one?.shares).toEqual([
      { by: 'node', value: 'node-12', count: 36 },
      { by: 'revision', value: 'new', count: 20 },
      { by: 'image', value: digest.image, count: 37 },
    ]);
    expect(one).toMatchObject({ sessions: 37, never: 37, severity: 'breach', cause: 'InitImageMismatch' });
  });

  it('names no share that is chance: half of them, or one of two', () => {
    const rows = ['a', 'a', 'b', 'b'].map((node) => hung({ node }));
    expect(cohortsOf(rows, [], now, standardLimits)[0]?.shares.map(({ by }) => by)).toEqual(['image']);
    const few = [hung({ node: 'a' }), hung({})];
    expect(cohortsOf(few, [], now, standardLimits)[0]?.shares.map(({ by }) => by)).toEqual(['image']);
  });

  it('says of the one in the middle whether it may have been there for longer', () => {
    const median = (sinceFrom: 'observed' | 'condition') => {
      const rows = [hung({ since: ago(900) }), hung({ since: ago(500), sinceFrom }), hung({ since: ago(100) })];
      const [one] = cohortsOf(rows, [], now, standardLimits);
      return [one?.medianSince, one?.medianAtLeast];
    };
    expect(median('observed')).toEqual([ago(500), true]);
    expect(median('condition')).toEqual([ago(500), undefined]);
  });

  it('is named by its key alone, also when it is over', () => {
    const [one] = cohortsOf([hung({ node: 'a' })], ['node'], now, standardLimits);
    expect(partsOfKey(one?.key ?? '')).toEqual({
      ns: 'agents',
      pool: 'tools',
      state: 'Resuming',
      cause: 'InitImageMismatch',
      split: ['a'],
    });
    expect(partsOfKey('something')).toBeUndefined();
  });

  it('is told apart by node, and those without one stay together', () => {
    const rows = [hung({ node: 'a' }), hung({ node: 'b' }), hung({ node: 'b' }), hung({})];
    const split = cohortsOf(rows, ['node'], now, standardLimits).map((each) => [each.split.node, each.rows.length]);
    expect(split.sort()).toEqual([
      ['', 1],
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('keeps namespaces, pools, states and causes apart', () => {
    const rows = [
      hung(),
      hung({ ns: 'other' }),
      hung({ pool: 'web' }),
      hung({ state: 'Upgrading' }),
      hung({ cause: { code: 'ImagePull' } }),
      sandbox({ state: 'Resuming', since: ago(600) }),
    ];
    expect(cohortsOf(rows, [], now, standardLimits)).toHaveLength(6);
  });

  it('has a scope that covers its members and no other', () => {
    const rows = [hung({ node: 'a' }), hung({}), hung({ node: 'a', pool: 'web' }), sandbox({ state: 'Resuming' })];
    for (const cohort of cohortsOf(rows, ['node'], now, standardLimits)) {
      const { scope } = cohort;
      const covering = coverage([{ id: 'm', scope, kind: 'ack', by: 'M. Kaya', at: now, version: 1 }]);
      expect(rows.filter((row) => covering(row).length > 0)).toEqual(cohort.rows);
    }
  });

  it('comes by severity, then by how far past times sessions', () => {
    const rows = [
      hung({ cause: { code: 'ImagePull' }, since: ago(60) }),
      ...Array.from({ length: 3 }, () =>
        hung({ cause: { code: 'OldPodTerminating' }, since: ago(240), claimed: true }),
      ),
      hung({ cause: { code: 'Unschedulable' }, since: ago(500), claimed: true }),
    ];
    expect(cohortsOf(rows, [], now, standardLimits).map(({ cause }) => cause)).toEqual([
      'OldPodTerminating',
      'Unschedulable',
      'ImagePull',
    ]);
  });

  it('knows the one that has been there for the longest, and the middle of those whose start is known', () => {
    const [one] = cohortsOf(
      [hung({ since: ago(100) }), hung({ since: ago(900) }), hung({ since: ago(300) })],
      [],
      now,
      standardLimits,
    );
    expect(one?.oldest?.since).toBe(ago(900));
    expect(one?.medianSince).toBe(ago(300));
    const nobody = { state: 'Resuming' as const, sinceFrom: 'unknown' as const };
    const [unknown] = cohortsOf([sandbox(nobody)], [], now, standardLimits);
    expect(unknown?.oldest).toBeUndefined();
    expect(unknown?.medianSince).toBeUndefined();
  });

  it('says whether all members are equally severe', () => {
    const late = hung({ cause: { code: 'ImagePull' }, since: ago(60) });
    const past = hung({ cause: { code: 'ImagePull' }, since: ago(600) });
    expect(cohortsOf([late, late], [], now, standardLimits)[0]?.alike).toBe(true);
    expect(cohortsOf([late, past], [], now, standardLimits)[0]).toMatchObject({ alike: false, severity: 'breach' });
    expect(cohortsOf([past, late], [], now, standardLimits)[0]).toMatchObject({ alike: false, severity: 'breach' });
  });

  it('has the same key whatever the numbers', () => {
    const [before] = cohortsOf([hung()], [], now, standardLimits);
    const [after] = cohortsOf([hung({ claimed: true }), hung({ node: 'x' })], [], now + 60_000, standardLimits);
    expect(after?.key).toBe(before?.key);
  });
});
