import { useMemo } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { type PoolView, poolViews } from '@/lib/domain/pool-views';
import { useNow, useRows } from '@/lib/live';

/** One pool with its counts; it need not be there any more. */
export function usePoolView(pool: PoolRow | undefined): PoolView | undefined {
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  return useMemo(() => (pool ? poolViews([pool], sandboxes, now)[0] : undefined), [pool, sandboxes, now]);
}

/** Every pool of the scope with its counts, read again every five seconds for what time changes. */
export function usePoolViews(): PoolView[] {
  const pools = useRows('sandboxsets');
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  return useMemo(() => poolViews(pools, sandboxes, now), [pools, sandboxes, now]);
}
