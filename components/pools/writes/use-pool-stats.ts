import { useMemo } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { type PoolStats, poolStats } from '@/lib/domain/pools';
import { useNow, useRows } from '@/lib/live';

/** Counts of the pool's own sandboxes, read again every second. */
export function usePoolStats(pool: PoolRow): PoolStats {
  const sandboxes = useRows('sandboxes');
  const now = useNow();
  return useMemo(() => {
    const members = sandboxes.filter((row) => row.pool === pool.name && row.ns === pool.ns);
    return poolStats(pool, members, now);
  }, [pool, sandboxes, now]);
}
