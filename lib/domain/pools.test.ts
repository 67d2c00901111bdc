import { describe, expect, it } from 'vitest';
import { standardLimits } from '@/lib/domain/limits';
import lagging from './fixtures/updated-replicas-lag.json';
import { indexByPool, poolIssues, poolStats } from './pools';
import { ago, member, now, pool, sandbox } from './rows.testing';

const codes = (row: Parameters<typeof poolIssues>[0], members: Parameters<typeof poolStats>[1]) =>
  poolIssues(row, poolStats(row, members, now, standardLimits), now, standardLimits).map(({ code }) => code);

describe('poolStats', () => {
  it('counts sandboxes, not status fields', () => {
    const stats = poolStats(
      pool({ desired: 4, replicas: 9, available: 9, updated: 9, updatedAvailable: 9 }),
      [
        member(),
        member({ hash: 'older' }),
        member({ locked: true, since: ago(90) }),
        member({ state: 'Creating', since: ago(20), cause: { code: 'ImagePull' } }),
        member({ state: 'NotReady', since: ago(40), cause: { code: 'ImagePull' } }),
        member({ state: 'Terminating' }),
        member({ state: 'Failed' }),
        sandbox({ pool: 'web', claimed: true }),
        sandbox({ pool: 'web', claimed: true, state: 'Paused' }),
        sandbox({ pool: 'web', claimed: true, state: 'Recycling' }),
        sandbox({ pool: 'web', claimed: true, state: 'Failed', reserved: true }),
      ],
      now,
      standardLimits,
    );
    expect(stats).toEqual({
      available: 3,
      alive: 6,
      stranding: 0,
      injected: 0,
      creating: 2,
      terminating: 1,
      dead: 1,
      claimed: 2,
      locked: 1,
      lockLeft: 1,
      updatedCount: 5,
      updatedAvailable: 2,
      old: 1,
      worstCreatingMs: 40_000,
      lag: false,
      complete: false,
      causes: [{ code: 'ImagePull', count: 2 }],
    });
  });

  it('is complete with nothing old, nothing in creation, and as many as wanted', () => {
    const three = [member(), member(), member()];
    expect(poolStats(pool(), three, now, standardLimits).complete).toBe(true);
    expect(poolStats(pool(), three.slice(1), now, standardLimits).complete).toBe(false);
    expect(poolStats(pool(), [...three, member({ hash: 'older' })], now, standardLimits).complete).toBe(false);
    expect(poolStats(pool(), [...three, member({ state: 'Recycling' })], now, standardLimits).complete).toBe(false);
    expect(poolStats(pool({ gen: 5 }), three, now, standardLimits).complete).toBe(false);
    expect(poolStats(pool({ desired: 0 }), [], now, standardLimits).complete).toBe(true);
  });

  it('is right while the counters of the status lag behind a rollout and a scale-up', () => {
    const seen = lagging.events.map((event) => {
      const row = pool({
        gen: event.generation,
        obs: event.observedGeneration,
        desired: event.spec_replicas,
        replicas: event.replicas,
        available: event.available,
        updated: event.updated,
        updatedAvailable: event.updatedAvailable,
        revision: event.revision,
      });
      // At 7 s the first two old members have been replaced; from 20 s on the status says 2 and 0, whatever is true.
      const updated = event.revision === 'aa11' ? 0 : event.at_s === 95 ? 20 : event.at_s === 7 ? 2 : 10;
      const old = event.revision === 'aa11' ? 10 : event.at_s === 7 ? 8 : 0;
      const members = [
        ...Array.from({ length: updated }, () =>
          member({ hash: 'bb22', state: event.at_s === 95 ? 'Available' : 'Creating', since: ago(5) }),
        ),
        ...Array.from({ length: old }, () => member({ hash: 'aa11' })),
      ];
      const stats = poolStats(row, members, now, standardLimits);
      return {
        at: event.at_s,
        complete: stats.complete,
        lag: stats.lag,
        loud: poolIssues(row, stats, now, standardLimits).filter(({ severity }) => severity !== 'calm'),
      };
    });
    expect(seen).toEqual([
      { at: 0, complete: true, lag: false, loud: [] },
      { at: 5, complete: false, lag: true, loud: [] },
      { at: 7, complete: false, lag: false, loud: [] },
      { at: 20, complete: false, lag: false, loud: [] },
      { at: 75, complete: false, lag: false, loud: [] },
      { at: 95, complete: true, lag: false, loud: [] },
    ]);
  });
});

describe('poolIssues', () => {
  it('is quiet about a pool that is as wanted', () => {
    expect(codes(pool(), [member(), member(), member()])).toEqual([]);
  });

  it('is below target only after a minute, and says what holds it up', () => {
    const slow = (age: number) => [
      member(),
      member(),
      member({ state: 'Creating', since: ago(age), cause: { code: 'ImagePull' } }),
    ];
    expect(codes(pool(), slow(59))).toEqual([]);
    const issues = poolIssues(pool(), poolStats(pool(), slow(90), now, standardLimits), now, standardLimits);
    expect(issues).toEqual([{ code: 'BelowTarget', severity: 'warn', count: 1, ms: 90_000, cause: 'ImagePull' }]);
    expect(
      poolIssues(pool(), poolStats(pool(), slow(301), now, standardLimits), now, standardLimits)[0]?.severity,
    ).toBe('breach');
  });

  it('counts from when the pool was seen to fall short', () => {
    expect(codes(pool({ belowSince: ago(30) }), [member()])).toEqual([]);
    expect(codes(pool({ belowSince: ago(61) }), [member()])).toEqual(['BelowTarget']);
    expect(codes(pool({ belowSince: ago(61) }), [])).toEqual(['Empty']);
  });

  it('names what keeps a pool from growing or rolling', () => {
    const creating = [member({ state: 'Creating', since: ago(5) }), member({ state: 'Creating', since: ago(5) })];
    expect(codes(pool({ desired: 10, scaleMax: '20%' }), creating)).toEqual(['ScaleThrottled']);
    expect(codes(pool({ updateMax: 0 }), [member(), member(), member({ hash: 'older' })])).toEqual(['RolloutBlocked']);
    expect(codes(pool({ noTemplate: true, revision: undefined as never }), [])).toEqual(['NoTemplate']);
    expect(codes(pool({ name: 'x'.repeat(64) }), [member(), member(), member()])).toEqual(['NameTooLong']);
  });

  it('shows a surplus and an unseen spec without alarm, and says nothing of a pool that is being deleted', () => {
    const issues = poolIssues(
      pool({ gen: 9, desired: 1, scaledAt: ago(20) }),
      poolStats(pool({ gen: 9, desired: 1 }), [member(), member()], now, standardLimits),
      now,
      standardLimits,
    );
    expect(issues).toEqual([
      { code: 'Surplus', severity: 'calm', count: 1 },
      { code: 'NotSeen', severity: 'calm', ms: 20_000 },
    ]);
    expect(codes(pool({ deleting: now, noTemplate: true }), [])).toEqual([]);
  });

  it('warns of a pool that its controller never took up, which may name a SandboxTemplate that does not exist', () => {
    const ignored = (seconds: number) => {
      const { obs: _obs, ...row } = pool({ gen: 1, templateRef: 'nowhere', created: ago(seconds) });
      return poolIssues(row, poolStats(row, [], now, standardLimits), now, standardLimits).find(
        ({ code }) => code === 'NotSeen',
      )?.severity;
    };
    expect(ignored(20)).toBe('calm');
    expect(ignored(40)).toBe('warn');
  });

  it('warns of a spec that is not seen for half a minute, with how long, whatever was scaled before', () => {
    const unseen = (fields: Parameters<typeof pool>[0]) => {
      const row = pool({ gen: 4, obs: 2, ...fields });
      const stats = poolStats(row, [member(), member(), member()], now, standardLimits);
      return poolIssues(row, stats, now, standardLimits);
    };
    expect(unseen({ lagSince: ago(1020) })).toEqual([{ code: 'NotSeen', severity: 'warn', ms: 1_020_000 }]);
    expect(unseen({ lagSince: ago(5), scaledAt: ago(7200) })).toEqual([
      { code: 'NotSeen', severity: 'calm', ms: 5_000 },
    ]);
  });

  it('names a SandboxTemplate that does not exist', () => {
    const row = pool({ templateRef: 'nowhere', templateMissing: true });
    expect(poolIssues(row, poolStats(row, [], now, standardLimits), now, standardLimits)).toEqual([
      { code: 'TemplateMissing', severity: 'breach', detail: 'nowhere' },
    ]);
  });

  it('says that the controller makes no more, in its words', () => {
    const row = pool({ scalingLimited: '3 of 3 startup slots are blocked: Timeout=1, Failed=2' });
    const stats = poolStats(row, [member(), member(), member()], now, standardLimits);
    expect(poolIssues(row, stats, now, standardLimits)).toEqual([
      { code: 'ScalingLimited', severity: 'warn', detail: '3 of 3 startup slots are blocked: Timeout=1, Failed=2' },
    ]);
  });
});

it('indexByPool keeps namespaces apart', () => {
  const index = indexByPool([member(), member({ ns: 'batch' }), sandbox()]);
  expect([...index].map(([key, rows]) => [key, rows.length])).toEqual([
    ['agents/web', 1],
    ['batch/web', 1],
  ]);
});
