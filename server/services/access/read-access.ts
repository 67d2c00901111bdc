import 'server-only';
import type { AccessReply, ActionAccess, GuardedAction } from '@/lib/contracts/access';
import { can } from '../../access/can';
import type { ServiceContext } from '../context';
import { ok, type Result } from '../result';

const group = 'agents.kruise.io';
/** The exact right behind each form: the verb and subresource that its service will use. */
const needs = {
  scalePool: { verb: 'patch', group, resource: 'sandboxsets', subresource: 'scale' },
  patchPoolTemplate: { verb: 'patch', group, resource: 'sandboxsets' },
  createUpgrade: { verb: 'create', group, resource: 'sandboxupdateops' },
  steerUpgrade: { verb: 'patch', group, resource: 'sandboxupdateops' },
  deleteUpgrade: { verb: 'delete', group, resource: 'sandboxupdateops' },
  cleanLeftovers: { verb: 'patch', group, resource: 'sandboxes' },
} as const satisfies Record<GuardedAction, object>;

/** Who is asking, and what the cluster lets that person do in a namespace. */
export async function readAccess(
  ctx: Pick<ServiceContext, 'cluster' | 'principal' | 'now'>,
  namespace: string | undefined,
): Promise<Result<AccessReply>> {
  const { subject, groups, impersonate } = ctx.principal;
  const person = { subject, groups: [...groups], impersonated: impersonate };
  if (namespace === undefined) return ok({ time: ctx.now(), person });

  const check = async (action: GuardedAction): Promise<ActionAccess> => {
    const right: { verb: string; group: string; resource: string; subresource?: string } = needs[action];
    const access = await can(ctx.cluster.client, ctx.principal, { ...right, namespace });
    const resource = right.subresource ? `${right.resource}/${right.subresource}` : right.resource;
    const why = access.state === 'unknown' ? access.error : access.state === 'denied' ? access.reason : undefined;
    return { state: access.state, verb: right.verb, group, resource, ...(why ? { reason: why } : {}) };
  };
  const [scalePool, patchPoolTemplate, createUpgrade, steerUpgrade, deleteUpgrade, cleanLeftovers] = await Promise.all([
    check('scalePool'),
    check('patchPoolTemplate'),
    check('createUpgrade'),
    check('steerUpgrade'),
    check('deleteUpgrade'),
    check('cleanLeftovers'),
  ]);
  const actions = { scalePool, patchPoolTemplate, createUpgrade, steerUpgrade, deleteUpgrade, cleanLeftovers };
  return ok({ time: ctx.now(), person, namespace, actions });
}
