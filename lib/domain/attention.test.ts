import { describe, expect, it } from 'vitest';
import { ago, attention, member, now, pool, sandbox, upgrade } from './rows.testing';

const stuck = (age: number, fields: Parameters<typeof sandbox>[0] = {}) =>
  sandbox({
    state: 'Resuming',
    since: ago(age),
    pool: 'web',
    claimed: true,
    node: 'node-12',
    cause: { code: 'InitImageMismatch', never: true },
    ...fields,
  });

it('says nothing when nothing is wrong', () => {
  expect(
    attention({ sandboxes: [member(), member(), member(), sandbox()], pools: [pool()], upgrades: [upgrade()] }),
  ).toEqual([]);
});

describe('stuck sandboxes', () => {
  it('are one line for each cause and pool, with the node when they share one', () => {
    const sandboxes = [
      stuck(300),
      stuck(200, { shutdownAt: now + 60_000 }),
      stuck(100, { cause: { code: 'Unschedulable' }, node: 'node-7' }),
    ];
    expect(attention({ sandboxes })).toMatchObject([
      {
        kind: 'stuck',
        state: 'Resuming',
        cause: 'InitImageMismatch',
        never: true,
        pool: 'web',
        node: 'node-12',
        count: 2,
        sessions: 2,
        oldestMs: 300_000,
        shutdownAt: now + 60_000,
        severity: 'breach',
      },
      { cause: 'Unschedulable', never: false, count: 1, severity: 'warn' },
    ]);
  });

  it('name no node when they are on several, and keep their key', () => {
    const [one] = attention({ sandboxes: [stuck(300)] });
    const [two] = attention({ sandboxes: [stuck(400), stuck(500, { node: 'node-3' })] });
    expect(two).not.toHaveProperty('node');
    expect(two?.key).toBe(one?.key);
  });

  it('come by overdue and sessions: forty sessions before one old straggler', () => {
    const many = Array.from({ length: 40 }, () => stuck(130, { pool: 'many', cause: { code: 'ImagePull' } }));
    const old = stuck(100_000, { pool: 'old', cause: { code: 'ImagePull' } });
    const items = attention({ sandboxes: [old, ...many] });
    expect(items.map((item) => item.kind === 'stuck' && item.pool)).toEqual(['many', 'old']);
  });

  it('whose Pods were lost are grouped with what the cluster said', () => {
    const lost = () =>
      sandbox({
        state: 'Failed',
        phase: 'Failed',
        claimed: true,
        node: 'node-1',
        cause: { code: 'PodNotFound', detail: 'Pod Not Found' },
      });
    expect(attention({ sandboxes: [lost(), lost()] })).toMatchObject([
      { state: 'Failed', count: 2, sessions: 2, node: 'node-1', detail: 'Pod Not Found', severity: 'breach' },
    ]);
  });
});

describe('upgrades', () => {
  const failed = (op: string) =>
    sandbox({ op, state: 'Upgrading', stage: 'PreUpgradeFailed', since: ago(20), cause: { code: 'HookFailed' } });

  it('that are deadlocked tell their failed sandboxes, once', () => {
    const items = attention({ sandboxes: [failed('up')], upgrades: [upgrade({ total: 4, failed: 1 })] }, now);
    expect(items).toMatchObject([{ kind: 'upgrade', phase: 'Deadlocked', failed: 1, waiting: 3, holdsLock: true }]);
  });

  it('that are still running leave them to the stuck ones', () => {
    const items = attention(
      {
        sandboxes: [failed('up')],
        upgrades: [upgrade({ total: 4, failed: 1, updating: 1, maxUnavailable: 3 })],
      },
      now,
    );
    expect(items).toMatchObject([{ kind: 'stuck', cause: 'HookFailed' }]);
  });

  it('that failed matter while their sandboxes are failed', () => {
    const over = upgrade({ phase: 'Failed', total: 1, failed: 1 });
    expect(attention({ sandboxes: [failed('up')], upgrades: [over] })).toMatchObject([
      { kind: 'upgrade', phase: 'Failed' },
    ]);
    expect(attention({ upgrades: [over] })).toEqual([]);
  });
});

describe('pools', () => {
  it('that run empty come with their runway', () => {
    const low = pool({ desired: 4, claimsPerMin: 8, refillsPerMin: 6 });
    const items = attention({ pools: [low], sandboxes: [member(), member(), member(), member()] });
    expect(items).toMatchObject([{ kind: 'pool', issue: 'RunningEmpty', minutes: 2, available: 4, severity: 'warn' }]);
  });

  it('below target are one line, with the cause', () => {
    const sandboxes = [member({ state: 'NotReady', since: ago(400), cause: { code: 'CrashLoop' } })];
    const [item] = attention({ pools: [pool({ desired: 1 })], sandboxes }).filter(({ kind }) => kind === 'pool');
    expect(item).toMatchObject({ issue: 'Empty', cause: 'CrashLoop', severity: 'breach', desired: 1, available: 0 });
  });
});
