import { useMemo } from 'react';
import { type PoolView, poolViews } from '@/lib/domain/pool-views';
import { useNow, useRows } from '@/lib/live';

/** Every pool of the scope with its counts, read again every five seconds for what time changes. */
export function usePoolViews(): PoolView[] {
  const pools = useRows('sandboxsets');
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  return useMemo(() => poolViews(pools, sandboxes, now), [pools, sandboxes, now]);
}
