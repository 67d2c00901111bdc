import { useMemo, useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { type PoolStats, poolStats } from '@/lib/domain/pools';
import { useLimits, useNow, useRows } from '@/lib/live';

/**
 * Counts of the pool's own sandboxes, read again every second.
 * @param goneAt since when the pool is gone: from then on the counts stand, as a namesake has its sandboxes under the same name
 */
export function usePoolStats(pool: PoolRow, goneAt?: number): PoolStats {
  const sandboxes = useRows('sandboxes');
  const now = useNow();
  const limits = useLimits();
  const counted = useMemo(() => {
    const members = sandboxes.filter((row) => row.pool === pool.name && row.ns === pool.ns);
    return poolStats(pool, members, now, limits);
  }, [pool, sandboxes, now, limits]);
  const [held, setHeld] = useState(counted);
  // Adjusted while rendering: no frame shows the namesake's.
  if (goneAt === undefined && held !== counted) setHeld(counted);
  return goneAt === undefined ? counted : held;
}
