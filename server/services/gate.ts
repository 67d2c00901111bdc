import 'server-only';
import type { z } from 'zod';
import type { kubeObject } from '@/lib/contracts/objects';
import type { RowKind } from '@/lib/contracts/rows';
import { redactText } from '@/lib/domain/redact';
import { KubeError, toProblem } from '@/server/kube/errors';
import { can, forgetAccess } from '../access/can';
import { agentsApi, type ServiceContext } from './context';
import { type Failure, ok, type Result, refuse } from './result';

export type ObjectName = { namespace: string; name: string };

/** The right a write needs, on a kind of agents.kruise.io or on Pods, with its subresource. */
export type Right = {
  verb: 'create' | 'patch' | 'delete';
  resource: (RowKind & ('sandboxes' | 'sandboxsets' | 'sandboxupdateops' | 'sandboxclaims')) | 'pods';
  subresource?: 'scale';
};

const groupOf = ({ resource }: Right) => (resource === 'pods' ? '' : 'agents.kruise.io');
const staleMs = 15_000;

export const collectionPath = (resource: string, namespace: string) =>
  `${agentsApi}/namespaces/${encodeURIComponent(namespace)}/${resource}`;

export const objectPath = (resource: string, { namespace, name }: ObjectName) =>
  `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;

const rightName = (right: Right) => (right.subresource ? `${right.resource}/${right.subresource}` : right.resource);

const missing = (right: Right, namespace: string) => ({
  verb: right.verb,
  group: groupOf(right),
  resource: rightName(right),
  namespace,
});

/**
 * First gate of a write: may this person do it, and does the console know the cluster well enough. A right that cannot
 * be asked for is left to the API server. Data counts as stale when the last proof of life of the kind's watch is older
 * than 15 s (architecture, "Freshness is shown, and gates writes").
 */
export async function mayWrite(ctx: ServiceContext, namespace: string, right: Right): Promise<Result<void>> {
  const access = await can(ctx.cluster.client, ctx.principal, { group: groupOf(right), ...right, namespace });
  if (access.state === 'denied') {
    return refuse(
      'forbidden',
      'mayNot',
      {
        person: ctx.principal.subject,
        verb: right.verb,
        resource: [rightName(right), groupOf(right)].filter((part) => part !== '').join('.'),
        namespace,
        why: access.reason || 'none',
      },
      { missing: missing(right, namespace), applied: 'no' },
    );
  }
  // Pods are shown with their sandboxes, and watched with them.
  const kind = right.resource === 'pods' ? 'sandboxes' : right.resource;
  const known = ctx.cluster.freshness().kinds.find((k) => k.kind === kind);
  const watched = known && known.state !== 'missing' && known.state !== 'forbidden';
  if (watched && ctx.now() - (known.provenAt ?? 0) > staleMs) {
    const since = known.provenAt ? new Date(known.provenAt).toISOString() : 'none';
    return refuse('stale', 'unheard', { kind, since, why: known.reason || 'none' }, { applied: 'no' });
  }
  return ok(undefined);
}

/** What is written to: a kind's plural and Kind, and how its objects are read. */
export type WrittenKind<S extends typeof kubeObject> = { resource: Right['resource']; kind: string; schema: S };

/**
 * Reads the object as it is now, and refuses when it is not the one the person saw, or is on its way out.
 * @param leaving takes also one that is being deleted
 */
export async function readLive<S extends typeof kubeObject>(
  ctx: ServiceContext,
  of: WrittenKind<S>,
  target: ObjectName,
  uid: string,
  leaving = false,
): Promise<Result<z.infer<S>>> {
  const { resource, kind } = of;
  const answer = await ctx.cluster.client.request({
    method: 'GET',
    path: objectPath(resource, target),
    as: ctx.principal,
  });
  const live = of.schema.parse(answer.body);
  const { name } = target;
  if (live.metadata.uid !== uid) {
    return refuse(
      'precondition_failed',
      'objectReplaced',
      { kind, name, uid, at: live.metadata.creationTimestamp ?? 'none' },
      { applied: 'no', fields: [{ field: 'metadata.uid', message: live.metadata.uid }] },
    );
  }
  if (live.metadata.deletionTimestamp && !leaving) {
    const since = live.metadata.deletionTimestamp;
    return refuse('precondition_failed', 'objectDeleting', { kind, name, since }, { applied: 'no' });
  }
  return ok(live);
}

/** Turns what the API server refused into a problem, and names the right on a 403. Faults of the program go on. */
export function refusedByCluster(
  error: unknown,
  ctx: ServiceContext,
  namespace: string,
  right: Right,
  phase: { sent: boolean },
): { ok: false; problem: Failure } {
  if (!(error instanceof KubeError)) throw error;
  const problem: Failure = toProblem(error, { write: phase.sent });
  // Schema refusals quote what was sent.
  problem.message = redactText(problem.message).slice(0, 4_000);
  if (problem.fields) problem.fields = problem.fields.map((each) => ({ ...each, message: redactText(each.message) }));
  if (!phase.sent) problem.applied = 'no';
  if (problem.code === 'forbidden' && phase.sent) {
    forgetAccess(ctx.cluster.client);
    problem.missing = missing(right, namespace);
  }
  return { ok: false, problem };
}

/**
 * Whether a JSON Patch was refused because the object is not as its `test` operations say. The API server does not name
 * the operation: a second look at the object does.
 */
export const isFailedTest = (error: unknown) =>
  error instanceof KubeError &&
  error.status === 422 &&
  error.kubeStatus?.reason === 'Invalid' &&
  !error.kubeStatus.details?.kind;
