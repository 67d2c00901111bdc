import type { PoolView } from '@/lib/domain/pool-views';
import { StockBar, severityTone } from '../common';

/** Available of desired, and what is on its way; coloured while the pool is short. */
export function PoolStock({ view: { pool, stats, shortage } }: { view: PoolView }) {
  return (
    <StockBar
      available={stats.available}
      desired={pool.desired}
      creating={stats.creating}
      terminating={stats.terminating}
      tone={severityTone(shortage)}
    />
  );
}
