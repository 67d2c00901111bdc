import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { LimitsInForce } from './limits';
import { indexByPool, type PoolIssue, type PoolStats, poolIssues, poolKey, poolStats } from './pools';
import { type Runway, runwayOf } from './runway';
import type { Severity } from './severity';

/** A pool with what is counted from its sandboxes. */
export interface PoolView {
  pool: PoolRow;
  stats: PoolStats;
  runway: Runway;
  issues: PoolIssue[];
  /** Of being below target for longer than a minute. */
  shortage: Severity;
}

/** `now` is the server's clock, epoch ms. */
export function poolViews(
  pools: readonly PoolRow[],
  sandboxes: readonly SandboxRow[],
  now: number,
  limits: LimitsInForce,
): PoolView[] {
  const members = indexByPool(sandboxes);
  return pools.map((pool) => {
    const stats = poolStats(pool, members.get(poolKey(pool.ns, pool.name)) ?? [], now, limits);
    const issues = poolIssues(pool, stats, now, limits);
    const below = issues.find(({ code }) => code === 'BelowTarget' || code === 'Empty');
    return { pool, stats, runway: runwayOf(pool, stats), issues, shortage: below?.severity ?? 'calm' };
  });
}

/** A pool that lasts longer than this, in minutes, needs nobody yet. */
const shortRunwayMinutes = 60;

export function isShort(runway: Runway): boolean {
  return runway.kind === 'empty' || (runway.kind === 'empty-in' && runway.minutes <= shortRunwayMinutes);
}

/** Minutes until the pool is empty; infinite when it does not run empty, undefined when nothing is known. */
export function runwayMinutes(runway: Runway): number | undefined {
  if (runway.kind === 'empty') return 0;
  if (runway.kind === 'unknown') return undefined;
  return runway.kind === 'empty-in' ? runway.minutes : Number.POSITIVE_INFINITY;
}
