import type { UpgradeRow } from '@/lib/contracts/rows';

/** An operation for tests: running, taken up by the controller. */
export function operation(over: Partial<UpgradeRow> & { name: string }): UpgradeRow {
  return {
    uid: `uid-${over.name}`,
    ns: 'demo',
    phase: 'Updating',
    total: 10,
    updated: 0,
    updating: 0,
    failed: 0,
    strategy: 'Recreate',
    maxUnavailable: 1,
    selector: 'agents.kruise.io/sandbox-pool=tools',
    hasPatch: true,
    taken: true,
    created: Date.now() - 600_000,
    ...over,
  };
}
