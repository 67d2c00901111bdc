import type { IntOrPercent, PoolRow } from '@/lib/contracts/rows';

/** A percentage of `total` is rounded up (domain 1.3, 6.4); undefined when the value is neither int nor percent. */
export function resolveIntOrPercent(value: IntOrPercent | undefined, total: number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const match = value === undefined ? null : /^(-?\d+)%$/.exec(value);
  // Integers are multiplied before the division, so that 7 % of 100 is 7 and not 7.000000000000001 rounded up.
  return match ? Math.ceil((Number(match[1]) * total) / 100) : undefined;
}

/** Concurrent upgrades a SandboxUpdateOps allows: nil, invalid and <= 0 give 1 (domain 6.4). */
export function upgradeLimit(maxUnavailable: IntOrPercent | undefined, total: number): number {
  return Math.max(1, resolveIntOrPercent(maxUnavailable, total) ?? 1);
}

/** Old available members that the rolling update may replace at once; the webhook writes "20%" (domain 5.4). */
export function rolloutBudget(updateMax: IntOrPercent | undefined, desired: number): number {
  return Math.max(0, resolveIntOrPercent(updateMax ?? '20%', desired) ?? 0);
}

/** How many more may be in creation under scaleStrategy.maxUnavailable; undefined means unlimited (domain 5.3). */
export function scaleRoom(pool: Pick<PoolRow, 'scaleMax' | 'desired'>, creating: number): number | undefined {
  const limit = resolveIntOrPercent(pool.scaleMax, pool.desired);
  return limit === undefined ? undefined : Math.max(0, limit - creating);
}
