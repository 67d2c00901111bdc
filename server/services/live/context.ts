import 'server-only';
import type { Principal } from '@/server/access/principal';
import { scopeOf } from '@/server/access/scope';
import { type Cluster, getCluster } from '@/server/kube/cluster';
import type { Hub } from '@/server/live/hub';
import { getHub } from '@/server/live/runtime';
import type { ViewQuestion } from './view';

/** What the live routes work with in this process. */
export function liveContext(
  principal: Principal,
  namespaces: readonly string[] | undefined,
): { hub: Hub; cluster: Cluster; question: ViewQuestion } {
  const cluster = getCluster();
  const known = () => Array.from(cluster.rows('namespaces'), ({ name }) => name);
  return {
    hub: getHub(),
    cluster,
    question: {
      principal,
      namespaces,
      known,
      scope: () => scopeOf(cluster.client, principal, known()),
      answers: () => cluster.freshness().kinds.every(({ state }) => state !== 'degraded'),
    },
  };
}
