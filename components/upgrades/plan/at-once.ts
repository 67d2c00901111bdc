import type { IntOrPercent } from '@/lib/contracts/rows';
import { batchPlan } from '@/lib/domain/upgrades/batches';

/** How many are really upgraded at a time: no more than there are. */
export const atOnce = (limit: IntOrPercent | undefined, total: number): number =>
  Math.min(batchPlan(limit, total).limit, total);
