import { describe, expect, it } from 'vitest';
import { standardLimits } from '@/lib/domain/limits';
import { type PoolStats, poolIssues, poolStats } from '@/lib/domain/pools';
import { attention } from '@/lib/domain/rows.testing';
import { upgradeView } from '@/lib/domain/upgrades/view';
import { type Moment, replay } from './replay.testing';

function statsAt(moment: Moment, name: string): PoolStats | undefined {
  const pool = moment.pools.get(name);
  return (
    pool &&
    poolStats(
      pool,
      [...moment.sandboxes.values()].filter((row) => row.pool === name),
      moment.now,
      standardLimits,
    )
  );
}

function viewAt(moment: Moment, name: string) {
  const op = moment.upgrades.get(name);
  const own = [...moment.sandboxes.values()].filter((row) => row.op === name);
  return op && upgradeView(op, [...moment.upgrades.values()], own, moment.now);
}

/** Derived phases of an update, each time they changed. */
function phasesOf(recording: string, name: string): string[] {
  const phases: string[] = [];
  replay(recording, (moment) => {
    const phase = viewAt(moment, name)?.phase;
    if (phase && phases.at(-1) !== phase) phases.push(phase);
  });
  return phases;
}

const overview = ({ sandboxes, pools, upgrades }: Moment, now: number) =>
  attention({ sandboxes: [...sandboxes.values()], pools: [...pools.values()], upgrades: [...upgrades.values()] }, now);

describe('pools', () => {
  it('a pool with an old member is not complete, although its status says so at the newest generation', () => {
    let contradicted = 0;
    const last = replay('recycle', (moment) => {
      const pool = moment.pools.get('web');
      const stats = statsAt(moment, 'web');
      if (!pool || !stats || pool.gen !== pool.obs || pool.updatedAvailable !== pool.desired) return;
      if (stats.old > 0) contradicted++;
      expect(stats.complete && stats.old > 0).toBe(false);
    });
    expect(contradicted).toBeGreaterThan(0);
    expect(statsAt(last, 'web')).toMatchObject({ available: 2, complete: true, old: 0 });
  });

  it('a recycled sandbox leaves the pool one over until somebody looks', () => {
    const surplus: number[] = [];
    replay('recycle', (moment) => {
      const pool = moment.pools.get('web');
      const stats = statsAt(moment, 'web');
      if (pool && stats && poolIssues(pool, stats, moment.now, standardLimits).some(({ code }) => code === 'Surplus'))
        surplus.push(moment.t);
    });
    expect(Math.min(...surplus)).toBeCloseTo(16.57, 1);
    expect(Math.max(...surplus)).toBeCloseTo(27, 0);
  });

  it('counts what the controller counts once it has settled, with the counter of the status gone stale', () => {
    const last = replay('claim-and-refill', () => {});
    expect(statsAt(last, 'web')).toMatchObject({ available: 4, claimed: 2, creating: 0, complete: true });
  });

  it('a locked member counts as available, and scaling to zero ends at one', () => {
    let worst: PoolStats | undefined;
    replay('locked-pool-member', (moment) => {
      if (moment.t < 29) worst = statsAt(moment, 'web');
    });
    expect(worst).toMatchObject({ available: 1, locked: 1, claimed: 2 });
  });

  it('a crashing pool is short after a minute, with the cause', () => {
    const last = replay('pool-crashing', () => {});
    const [item] = overview(last, last.now + 90_000).filter(({ kind }) => kind === 'pool');
    expect(item).toMatchObject({ name: 'web', issue: 'Empty', cause: 'CrashLoop', desired: 2, available: 0 });
  });

  it('a rollout onto an image that cannot be pulled holds on to what is left, then recovers', () => {
    let lowest = Number.POSITIVE_INFINITY;
    let stalled: PoolStats | undefined;
    const last = replay('rollout-stuck-bad-image', (moment) => {
      const stats = statsAt(moment, 'web');
      if (!stats || moment.t < 5) return;
      lowest = Math.min(lowest, stats.available);
      if (moment.t < 45) stalled = stats;
    });
    expect(stalled).toMatchObject({ available: 3, creating: 1, old: 3, causes: [{ code: 'ImagePull', count: 1 }] });
    expect(lowest).toBe(2);
    expect(statsAt(last, 'web')).toMatchObject({ available: 4, old: 0, complete: true });
  });
});

describe('updates', () => {
  it('failures stall it each time they fill the limit', () => {
    expect(phasesOf('update-deadlock-failures', 'up-1')).toEqual([
      'NotTaken',
      'Pending',
      'Updating',
      'Deadlocked',
      'Updating',
      'Deadlocked',
      'Updating',
      'Failed',
    ]);
  });

  it('is listed with its failed sandboxes, once', () => {
    const last = replay('update-deadlock-failures', () => {});
    expect(overview(last, last.now)).toMatchObject([{ kind: 'upgrade', name: 'up-1', phase: 'Failed', failed: 4 }]);
  });

  it('of several made at once one runs, the others wait and are never woken', () => {
    expect(phasesOf('second-update-race', 'up-1')).toEqual(['NotTaken', 'Pending', 'Updating', 'Completed']);
    expect(phasesOf('second-update-race', 'up-6')).toEqual([
      'NotTaken',
      'WaitingForOther',
      'NotTaken',
      'WaitingForOther',
      'NotTaken',
    ]);
    const last = replay('second-update-race', () => {});
    expect(viewAt(last, 'up-6')).toMatchObject({ concerns: ['NeedsEdit'], active: ['up-6', 'up-4', 'up-5', 'up-3'] });
    expect(viewAt(last, 'up-1')?.sandboxes.map(({ stage }) => stage)).toEqual(['Done', 'Done']);
  });

  it('without a patch keeps a healthy sandbox "updating"', () => {
    let concerns: string[] | undefined;
    replay('update-lifecycle-only', (moment) => {
      if (moment.t < 24) concerns = viewAt(moment, 'up-1')?.concerns;
    });
    expect(concerns).toEqual(['LifecycleOnly']);
  });

  it('one by one: never more at work than the limit', () => {
    const busiest = new Map<string, number>();
    const ends: string[] = [];
    replay('update-recreate-success', (moment) => {
      for (const name of moment.upgrades.keys()) {
        const view = viewAt(moment, name);
        if (!view) continue;
        expect(view.updating).toBeLessThanOrEqual(view.limit);
        busiest.set(name, Math.max(busiest.get(name) ?? 0, view.updating));
        const end = `${view.phase} ${view.updated}/${view.total}`;
        if (view.phase === 'Completed' && ends.at(-1) !== end) ends.push(end);
      }
    });
    expect(ends).toContain('Completed 4/4');
    expect([...busiest.values()]).toContain(1);
  });
});
