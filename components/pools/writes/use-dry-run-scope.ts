import type { PoolRow } from '@/lib/contracts/rows';
import { useLiveStatus } from '@/lib/live';

/**
 * What the answer to a dry run holds for: this cluster, this object, this generation of it. The generation, not the
 * resourceVersion, which the row does not have: every status moves that on, and the API server does not answer another
 * thing for it.
 */
export function useDryRunScope({ ns, name, uid, gen }: PoolRow) {
  const cluster = useLiveStatus().freshness?.cluster;
  return [cluster?.name, cluster?.server, ns, name, uid, gen] as const;
}
