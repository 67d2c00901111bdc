import type { IntOrPercent } from '@/lib/contracts/rows';
import { upgradeLimit } from '../budget';

export interface BatchPlan {
  /** How many are upgraded at once; a percentage is of all that the operation takes. */
  limit: number;
  /** Rounds it takes when each is awaited; the controller refills slot by slot. */
  batches: number;
  /** So many failures stop it for good while others still wait (domain 6.4); no others wait when it is the total or more. */
  stopsAfter: number;
}

export function batchPlan(maxUnavailable: IntOrPercent | undefined, total: number): BatchPlan {
  const limit = upgradeLimit(maxUnavailable, total);
  return { limit, batches: Math.ceil(total / limit), stopsAfter: limit };
}

/** How many the controller starts next (domain 6.4): failed ones keep their slot. */
export function startable(limit: number, counts: { updating: number; failed: number; waiting: number }): number {
  return Math.max(0, Math.min(counts.waiting, limit - counts.updating - counts.failed));
}
