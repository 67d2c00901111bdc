import 'server-only';
import { getCluster } from '@/server/kube/cluster';
import type { Principal } from '../access/principal';
import { type Scope, scopeOf } from '../access/scope';
import { audit } from '../history/audit';
import { type PhaseHistory, phaseHistory } from '../history/phases';
import type { Watched } from './actions/list-actions';
import type { ServiceContext } from './context';

/** What a route's services work with in this process: the cluster, the audit, the recorder of phases. */
export async function serviceContext(call: {
  principal: Principal;
  requestId: string;
}): Promise<ServiceContext & { scope(): Promise<Scope>; phases: PhaseHistory } & Watched> {
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
    now: Date.now,
    scope,
    phases: phaseHistory(cluster),
    poolOf: (namespace, name) => cluster.byName('sandboxsets', namespace, name),
    upgradeOf: (namespace, name) => cluster.byName('sandboxupdateops', namespace, name),
  };
}
