import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';

/** Pools of a namespace and how many claimed sandboxes carry their label, also of pools that are gone. Those with most first. */
export function poolChoices(
  namespace: string,
  chosen: string,
  pools: readonly Pick<PoolRow, 'ns' | 'name'>[],
  sandboxes: readonly Pick<SandboxRow, 'ns' | 'pool' | 'idle'>[],
): { name: string; claimed: number }[] {
  const claimed = new Map<string, number>();
  for (const { ns, name } of pools) if (ns === namespace) claimed.set(name, 0);
  if (chosen) claimed.set(chosen, 0);
  for (const { ns, pool, idle } of sandboxes) {
    if (ns === namespace && pool !== undefined && !idle) claimed.set(pool, (claimed.get(pool) ?? 0) + 1);
  }
  return [...claimed]
    .map(([name, count]) => ({ name, claimed: count }))
    .sort((a, b) => b.claimed - a.claimed || (a.name < b.name ? -1 : 1));
}
