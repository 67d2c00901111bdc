import type { PoolRow } from '@/lib/contracts/rows';

/** A pool for tests: five wanted, all of one revision, seen by the controller. */
export function pool(over: Partial<PoolRow> & { name: string }): PoolRow {
  return {
    uid: `uid-${over.name}`,
    ns: 'demo',
    gen: 2,
    obs: 2,
    desired: 5,
    replicas: 5,
    available: 5,
    revision: 'r1',
    images: [{ name: 'sandbox', image: 'registry.local/agents/python-tools:3.13.1' }],
    updateMax: '20%',
    created: Date.now() - 86_400_000,
    ...over,
  };
}
