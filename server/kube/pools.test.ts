import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { LostSessions } from './lost-sessions';
import { PoolRates } from './pool-rates';
import { type PoolEntry, Pools } from './pools';
import { projectSandbox } from './rows';
import { RowTable } from './table';

const at = Date.parse('2026-11-29T10:00:00Z');

function poolsWith(sandboxes: () => SandboxRow[] | undefined, template: [] | null | undefined = undefined) {
  const table = new RowTable('sandboxsets', () => {});
  const clock = { now: at };
  let entry: PoolEntry | undefined;
  const pools = new Pools({
    table,
    rates: new PoolRates(),
    lost: new LostSessions(),
    poolOf: () => entry,
    templateOf: () => template,
    sandboxes,
    now: () => clock.now,
  });
  const see = (
    status?: object,
    { spec = { template: {} }, ...metadata }: { spec?: object; [key: string]: unknown } = {},
  ) => {
    const object = {
      metadata: { name: 'pool', namespace: 'demo', uid: 'p', creationTimestamp: '2026-11-29T09:00:00Z', ...metadata },
      spec: { replicas: 2, ...spec },
      ...(status ? { status } : {}),
    };
    const before = entry;
    entry = pools.digest(
      { key: 'demo/pool', name: 'pool', namespace: 'demo', uid: 'p', version: '1', object },
      before,
      true,
    );
    if (entry) pools.changed({ namespace: 'demo', name: 'pool', value: entry, live: true });
  };
  return { pools, see, clock, row: () => table.get('p'), belowSince: () => table.get('p')?.belowSince };
}

function available(name: string): SandboxRow[] {
  const row = projectSandbox(
    {
      metadata: {
        name,
        namespace: 'demo',
        uid: name,
        labels: { 'agents.kruise.io/sandbox-pool': 'pool' },
        ownerReferences: [
          { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'pool', controller: true },
        ],
      },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    },
    undefined,
    undefined,
  );
  return row ? [row] : [];
}

describe('since when a pool has been short', () => {
  it('is since it exists, when its controller never gave it a status', () => {
    const { see, belowSince } = poolsWith(() => []);
    see();
    expect(belowSince()).toBe(Date.parse('2026-11-29T09:00:00Z'));
  });

  it('is since its members went, when the status says nothing of it', () => {
    let members: SandboxRow[] | undefined = [...available('a'), ...available('b')];
    const { pools, see, clock, belowSince } = poolsWith(() => members);
    see({ availableReplicas: 2 });
    pools.refresh();
    expect(belowSince()).toBeUndefined();

    members = available('a');
    clock.now += 10_000;
    pools.refresh();
    clock.now += 10_000;
    pools.refresh();
    expect(belowSince()).toBe(at + 10_000);

    members = [...available('a'), ...available('b')];
    pools.refresh();
    expect(belowSince()).toBeUndefined();
  });

  it('is told by the status alone while sandboxes are not seen', () => {
    const { pools, see, belowSince } = poolsWith(() => undefined);
    see({ availableReplicas: 2 });
    pools.refresh();
    expect(belowSince()).toBeUndefined();
  });
});

describe('since when the controller has not seen the newest spec', () => {
  it('is since that was seen, as long as it is no nearer', () => {
    const { see, clock, row } = poolsWith(() => []);
    see({ observedGeneration: 2 }, { generation: 2 });
    expect(row()?.lagSince).toBeUndefined();
    clock.now += 10_000;
    see({ observedGeneration: 2 }, { generation: 3 });
    clock.now += 10_000;
    see({ observedGeneration: 2 }, { generation: 4 });
    expect(row()?.lagSince).toBe(at + 10_000);
    see({ observedGeneration: 3 }, { generation: 4 });
    expect(row()?.lagSince).toBe(at + 20_000);
    see({ observedGeneration: 4 }, { generation: 4 });
    expect(row()?.lagSince).toBeUndefined();
  });

  it('is as old as the last write of anything but the status, where nobody watched', () => {
    const { see, row } = poolsWith(() => []);
    const managedFields = [
      { manager: 'kubectl', time: '2026-11-29T09:43:00Z' },
      { manager: 'controller', subresource: 'status', time: '2026-11-29T09:59:00Z' },
    ];
    see({ observedGeneration: 2 }, { generation: 4, managedFields });
    expect(row()?.lagSince).toBe(at - 17 * 60_000);
  });
});

it('a SandboxTemplate that a pool refers to is missing only where all are known', () => {
  const refers = { spec: { templateRef: { name: 'nowhere' } } };
  const missing = (template: [] | null | undefined) => {
    const { see, row } = poolsWith(() => [], template);
    see({}, refers);
    return row()?.templateMissing;
  };
  expect(missing(null)).toBe(true);
  expect(missing([])).toBeUndefined();
  expect(missing(undefined)).toBeUndefined();
});

it('the row says why the controller makes no more members', () => {
  const { see, row } = poolsWith(() => []);
  const limited = (status: string) => ({
    conditions: [{ type: 'ScalingLimited', status, reason: 'StartupBudgetExhausted', message: '3 of 3 blocked' }],
  });
  see(limited('True'));
  expect(row()?.scalingLimited).toBe('3 of 3 blocked');
  see(limited('False'));
  expect(row()?.scalingLimited).toBeUndefined();
});
