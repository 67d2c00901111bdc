import type { UpgradeRow } from '@/lib/contracts/rows';
import { type GuardLimits, rateCountsFrom } from '@/lib/contracts/upgrades';

/** Which limit of a guard an operation has reached, and the counts behind it. */
export type Reached = { limit: 'failures' | 'rate'; failed: number; ended: number };

/** Undefined while neither limit is reached. Ended are the updated and the failed ones. */
export function reachedLimit(limits: GuardLimits, op: Pick<UpgradeRow, 'updated' | 'failed'>): Reached | undefined {
  const failed = op.failed ?? 0;
  const ended = (op.updated ?? 0) + failed;
  if (limits.failures !== undefined && failed >= limits.failures) return { limit: 'failures', failed, ended };
  if (limits.ratePercent === undefined || ended < rateCountsFrom) return undefined;
  return failed * 100 >= limits.ratePercent * ended ? { limit: 'rate', failed, ended } : undefined;
}
