import 'server-only';
import { type AccessReply, type ActionAccess, type GuardedAction, guardedAction } from '@/lib/contracts/access';
import { can } from '../../access/can';
import type { ServiceContext } from '../context';
import { ok, type Result } from '../result';

const group = 'agents.kruise.io';
type Right = { verb: string; group: string; resource: string; subresource?: string };
/** The exact right behind each form: the verb and subresource that its service will use. */
const needs = {
  scalePool: { verb: 'patch', group, resource: 'sandboxsets', subresource: 'scale' },
  patchPoolTemplate: { verb: 'patch', group, resource: 'sandboxsets' },
  createUpgrade: { verb: 'create', group, resource: 'sandboxupdateops' },
  steerUpgrade: { verb: 'patch', group, resource: 'sandboxupdateops' },
  deleteUpgrade: { verb: 'delete', group, resource: 'sandboxupdateops' },
  cleanLeftovers: { verb: 'patch', group, resource: 'sandboxes' },
  patchSandbox: { verb: 'patch', group, resource: 'sandboxes' },
  deleteSandbox: { verb: 'delete', group, resource: 'sandboxes' },
  deletePod: { verb: 'delete', group: '', resource: 'pods' },
  runTask: { verb: 'create', group, resource: 'sandboxclaims' },
} as const satisfies Record<GuardedAction, Right>;

/** Who is asking, and what the cluster lets that person do in a namespace. */
export async function readAccess(
  ctx: Pick<ServiceContext, 'cluster' | 'principal' | 'now'>,
  namespace: string | undefined,
): Promise<Result<AccessReply>> {
  const { subject, groups, impersonate } = ctx.principal;
  const person = { subject, groups: [...groups], impersonated: impersonate };
  if (namespace === undefined) return ok({ time: ctx.now(), person });

  const check = async (action: GuardedAction): Promise<ActionAccess> => {
    const right: Right = needs[action];
    const access = await can(ctx.cluster.client, ctx.principal, { ...right, namespace });
    const resource = right.subresource ? `${right.resource}/${right.subresource}` : right.resource;
    const why = access.state === 'unknown' ? access.error : access.state === 'denied' ? access.reason : undefined;
    return { state: access.state, verb: right.verb, group: right.group, resource, ...(why ? { reason: why } : {}) };
  };
  const found = await Promise.all(guardedAction.options.map(async (action) => [action, await check(action)] as const));
  const actions = Object.fromEntries(found) as Record<GuardedAction, ActionAccess>;
  return ok({ time: ctx.now(), person, namespace, actions });
}
