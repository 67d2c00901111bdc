import 'server-only';
import type { HistoryStore } from '@/lib/contracts/history';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Principal } from '../../access/principal';
import type { Scope } from '../../access/scope';
import type { Audit } from '../../history/audit';
import { type History, history } from '../../history/database';
import { type LimitsStore, limitsStore } from '../../history/limits';
import { markVersions } from '../../history/mark-versions';
import { recorder } from '../../history/running';
import { getCluster } from '../../kube/cluster';
import type { ServiceContext } from '../context';
import { type Result, refuse } from '../result';
import { serviceContext } from '../service-context';

/** What services lean on that keep what people say and set: nothing of it is in the cluster. */
export type TriageContext = {
  principal: Principal;
  requestId: string;
  audit: Audit;
  history: History;
  limits: Pick<LimitsStore, 'settings' | 'recall' | 'set'>;
  /** The database as a page is to be told of it. */
  store(): HistoryStore;
  /** Something may have been said: open pages are told. */
  said(): Promise<void>;
  /** What the person may see. */
  scope: Scope;
  /** By uid, as the watch shows it. */
  sandbox(uid: string): SandboxRow | undefined;
  /** The cluster's clock: by it a snooze ends. */
  now(): number;
};

export async function triageContext(call: Parameters<typeof serviceContext>[0]): Promise<TriageContext> {
  const { principal, requestId, audit, now, scope } = await serviceContext(call);
  return {
    principal,
    requestId,
    audit,
    now,
    history: history(),
    limits: limitsStore(),
    store: () => recorder().store(),
    said: () => markVersions().look(),
    scope: await scope(),
    sandbox: (uid) => getCluster().row('sandboxes', uid),
  };
}

/** Whether the person may see what it is about. */
export function maySee(
  { scope, principal }: Pick<TriageContext, 'scope'> & Pick<ServiceContext, 'principal'>,
  resource: 'sandboxes' | 'sandboxsets',
  namespace: string,
): Result<void> {
  if (scope.maySee(resource, namespace)) return { ok: true, value: undefined };
  if (scope.isUnchecked?.(resource, namespace))
    return refuse('upstream_unavailable', 'accessUnchecked', { namespace }, { applied: 'no' });
  return refuse(
    'forbidden',
    'mayNot',
    {
      person: principal.subject,
      verb: 'list',
      resource: `${resource}.agents.kruise.io`,
      namespace,
      why: 'none',
    },
    { missing: { verb: 'list', group: 'agents.kruise.io', resource, namespace }, applied: 'no' },
  );
}
