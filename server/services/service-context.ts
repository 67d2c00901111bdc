import 'server-only';
import { getCluster } from '@/server/kube/cluster';
import { clusterNow } from '@/server/kube/cluster-clock';
import type { Principal } from '../access/principal';
import { type Scope, scopeOf } from '../access/scope';
import { audit } from '../history/audit';
import type { Watched } from './actions/list-actions';
import type { ServiceContext } from './context';

/** What a route's services work with in this process: the cluster and the audit. */
export async function serviceContext(call: {
  principal: Principal;
  requestId: string;
}): Promise<ServiceContext & { scope(): Promise<Scope> } & Watched> {
  const cluster = await getCluster();
  const scope = () =>
    scopeOf(
      cluster.client,
      call.principal,
      [...cluster.rows('namespaces')].map((n) => n.name),
    );
  return {
    cluster,
    principal: call.principal,
    requestId: call.requestId,
    audit: audit(),
    now: clusterNow,
    scope,
    poolOf: (namespace, name) => cluster.byName('sandboxsets', namespace, name),
    sandboxOf: (namespace, name) => cluster.byName('sandboxes', namespace, name),
    upgradeOf: (namespace, name) => cluster.byName('sandboxupdateops', namespace, name),
  };
}
