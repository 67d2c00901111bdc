import type { CauseCode, PoolRow } from '@/lib/contracts/rows';
import type { PoolStats } from './pools';

export type Runway =
  /** `unfilled`: refills fail or have stopped, so only the stock counts. */
  | { kind: 'empty-in'; minutes: number; unfilled?: true }
  /** Refills keep up with claims, or the pool lasts longer than a day. */
  | { kind: 'steady' }
  /** Nobody claims. */
  | { kind: 'idle' }
  /** Nothing to claim although something is wanted, by the pool or by who claims. */
  | { kind: 'empty' }
  /** Not watched for long enough to know a rate. */
  | { kind: 'unknown' };

const longestRunwayMinutes = 24 * 60;

export function runwayOf(pool: PoolRow, stats: PoolStats): Runway {
  const usable = stats.available - stats.locked;
  const { claimsPerMin, refillsPerMin, claimsLastMin = 0, refillsLastMin = refillsPerMin ?? 0 } = pool;
  if (usable <= 0 && (pool.desired > 0 || (claimsPerMin ?? 0) > 0)) return { kind: 'empty' };
  if (claimsPerMin === undefined || refillsPerMin === undefined) return { kind: 'unknown' };
  const failing = mostlyFailing(stats);
  const unfilled = usable < pool.desired && refillsStopped(stats, failing, refillsLastMin);
  const claims = unfilled ? Math.max(claimsPerMin, claimsLastMin) : claimsPerMin;
  if (claims === 0) return { kind: 'idle' };
  const refills = unfilled ? 0 : failing ? Math.min(refillsPerMin, refillsLastMin) : refillsPerMin;
  const net = claims - refills;
  const minutes = usable / net;
  if (net <= 0 || minutes > longestRunwayMinutes) return { kind: 'steady' };
  return unfilled ? { kind: 'empty-in', minutes, unfilled } : { kind: 'empty-in', minutes };
}

/** Waiting does not help these. */
const failures: ReadonlySet<CauseCode> = new Set([
  'PodCreateFailed',
  'Unschedulable',
  'ImagePull',
  'CrashLoop',
  'StartContainerFailed',
  'RuntimeInitFailed',
  'HookFailed',
]);
const lastMinuteMs = 60_000;
/** A member that takes this long is no longer just on its way. */
const slowMs = 30_000;

/** At least half of what should fill the pool cannot: single failures, of one node, are no standstill. */
function mostlyFailing(stats: PoolStats): boolean {
  const failing = stats.causes.reduce((sum, { code, count }) => sum + (failures.has(code) ? count : 0), stats.dead);
  return failing > 0 && 2 * failing >= stats.creating + stats.dead;
}

/**
 * The average of ten minutes goes on to praise refills that failed since. Where members fail, refills of the last minute
 * may be older than the failure; otherwise a minute without any tells.
 */
function refillsStopped(stats: PoolStats, failing: boolean, refillsLastMin: number): boolean {
  const { worstCreatingMs = Number.POSITIVE_INFINITY } = stats;
  if (failing && stats.creating > 0 && worstCreatingMs < lastMinuteMs) return true;
  return refillsLastMin === 0 && (failing || worstCreatingMs >= slowMs);
}
