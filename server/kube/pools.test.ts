import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { LostSessions } from './lost-sessions';
import { PoolRates } from './pool-rates';
import { type PoolEntry, Pools } from './pools';
import { projectSandbox } from './rows';
import { RowTable } from './table';

const at = Date.parse('2026-11-29T10:00:00Z');

function poolsWith(sandboxes: () => SandboxRow[] | undefined) {
  const table = new RowTable('sandboxsets', () => {});
  const clock = { now: at };
  let entry: PoolEntry | undefined;
  const pools = new Pools({
    table,
    rates: new PoolRates(),
    lost: new LostSessions(),
    poolOf: () => entry,
    sandboxes,
    now: () => clock.now,
  });
  const see = (status?: object) => {
    const object = {
      metadata: { name: 'pool', namespace: 'demo', uid: 'p', creationTimestamp: '2026-11-29T09:00:00Z' },
      spec: { replicas: 2, template: {} },
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
  return { pools, see, clock, belowSince: () => table.get('p')?.belowSince };
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
