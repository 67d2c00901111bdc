import 'server-only';
import type { Freshness } from '@/lib/contracts/stream';
import { getCluster } from '@/server/kube/cluster';

/** Whether this process can serve: every kind was listed, or is known to be absent or refused; else the first reason why not. */
export function readiness(freshness: Freshness = getCluster().freshness()): {
  ready: boolean;
  kinds: object;
  reason?: string;
} {
  const ready = freshness.kinds.every(
    ({ state, provenAt }) => state === 'missing' || state === 'forbidden' || provenAt !== undefined,
  );
  const reason = freshness.kinds.find(({ state }) => state === 'degraded')?.reason;
  const kinds = Object.fromEntries(freshness.kinds.map(({ kind, state }) => [kind, state]));
  return { ready, kinds, ...(ready || reason === undefined ? {} : { reason }) };
}
