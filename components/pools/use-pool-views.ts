import { useMemo } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { type PoolView, poolViews } from '@/lib/domain/pool-views';
import { useLimits, useNow, useRows } from '@/lib/live';

/** One pool with its counts; it need not be there any more. */
export function usePoolView(pool: PoolRow | undefined): PoolView | undefined {
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  const limits = useLimits();
  return useMemo(
    () => (pool ? poolViews([pool], sandboxes, now, limits)[0] : undefined),
    [pool, sandboxes, now, limits],
  );
}

/** Every pool of the scope with its counts, read again every five seconds for what time changes. */
export function usePoolViews(): PoolView[] {
  const pools = useRows('sandboxsets');
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  const limits = useLimits();
  return useMemo(() => poolViews(pools, sandboxes, now, limits), [pools, sandboxes, now, limits]);
}
