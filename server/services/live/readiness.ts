import 'server-only';
import type { Freshness } from '@/lib/contracts/stream';
import { getCluster } from '@/server/kube/cluster';

/** Whether this process can serve: every kind was listed, or is known to be absent or refused. */
export function readiness(freshness: Freshness = getCluster().freshness()): { ready: boolean; kinds: object } {
  const ready = freshness.kinds.every(
    ({ state, provenAt }) => state === 'missing' || state === 'forbidden' || provenAt !== undefined,
  );
  return { ready, kinds: Object.fromEntries(freshness.kinds.map(({ kind, state }) => [kind, state])) };
}
