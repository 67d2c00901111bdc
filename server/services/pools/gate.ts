import 'server-only';
import { z } from 'zod';
import { kubeObject } from '@/lib/contracts/objects';
import { redactText } from '@/lib/domain/redact';
import { KubeError, toProblem } from '@/server/kube/errors';
import { can, forgetAccess } from '../../access/can';
import { agentsApi, type ServiceContext } from '../context';
import { type Failure, ok, type Result, refuse } from '../result';

export type PoolName = { namespace: string; name: string };

/** The right a write needs: `patch` on the resource, with its subresource. */
export type PoolRight = { resource: 'sandboxsets'; subresource?: 'scale' };

const group = 'agents.kruise.io';
const staleMs = 15_000;

export const poolPath = ({ namespace, name }: PoolName) =>
  `${agentsApi}/namespaces/${encodeURIComponent(namespace)}/sandboxsets/${encodeURIComponent(name)}`;

const rightName = (right: PoolRight) => (right.subresource ? `${right.resource}/${right.subresource}` : right.resource);

const missing = (right: PoolRight, namespace: string) => ({
  verb: 'patch',
  group,
  resource: rightName(right),
  namespace,
});

/**
 * First gate of a write: may this person do it, and does the console know the cluster well enough. A right that cannot
 * be asked for is left to the API server. Data counts as stale when the last proof of life of the watch of pools
 * is older than 15 s (architecture, "Freshness is shown, and gates writes").
 */
export async function mayWritePool(ctx: ServiceContext, pool: PoolName, right: PoolRight): Promise<Result<void>> {
  const access = await can(ctx.cluster.client, ctx.principal, {
    verb: 'patch',
    group,
    ...right,
    namespace: pool.namespace,
  });
  if (access.state === 'denied') {
    return refuse(
      'forbidden',
      'mayNotPatch',
      {
        person: ctx.principal.subject,
        resource: `${rightName(right)}.${group}`,
        namespace: pool.namespace,
        why: access.reason || 'none',
      },
      { missing: missing(right, pool.namespace), applied: 'no' },
    );
  }
  const known = ctx.cluster.freshness().kinds.find((k) => k.kind === 'sandboxsets');
  const watched = known && known.state !== 'missing' && known.state !== 'forbidden';
  if (watched && ctx.now() - (known.provenAt ?? 0) > staleMs) {
    const since = known.provenAt ? new Date(known.provenAt).toISOString() : 'none';
    return refuse('stale', 'unheard', { since, why: known.reason || 'none' }, { applied: 'no' });
  }
  return ok(undefined);
}

export const livePool = kubeObject.extend({
  metadata: kubeObject.shape.metadata.extend({ managedFields: z.array(z.unknown()).optional() }),
  spec: z.looseObject({
    replicas: z.number().int().default(0),
    template: z.record(z.string(), z.unknown()).optional(),
    templateRef: z.looseObject({ name: z.string() }).optional(),
  }),
});
export type LivePool = z.infer<typeof livePool>;

/** Reads the pool as it is now, and refuses when it is not the one the person saw. */
export async function readPool(ctx: ServiceContext, pool: PoolName, uid: string): Promise<Result<LivePool>> {
  const answer = await ctx.cluster.client.request({ method: 'GET', path: poolPath(pool), as: ctx.principal });
  const live = livePool.parse(answer.body);
  if (live.metadata.uid !== uid) {
    return refuse(
      'precondition_failed',
      'poolReplaced',
      { pool: pool.name, uid, at: live.metadata.creationTimestamp ?? 'none' },
      { applied: 'no', fields: [{ field: 'metadata.uid', message: live.metadata.uid }] },
    );
  }
  if (live.metadata.deletionTimestamp) {
    const since = live.metadata.deletionTimestamp;
    return refuse('precondition_failed', 'poolDeleting', { pool: pool.name, since }, { applied: 'no' });
  }
  return ok(live);
}

/** Turns what the API server refused into a problem, and names the right on a 403. Faults of the program go on. */
export function refusedByCluster(
  error: unknown,
  ctx: ServiceContext,
  pool: PoolName,
  right: PoolRight,
  phase: { sent: boolean },
): { ok: false; problem: Failure } {
  if (!(error instanceof KubeError)) throw error;
  const problem: Failure = toProblem(error, { write: phase.sent });
  // Schema refusals quote what was sent.
  problem.message = redactText(problem.message).slice(0, 4_000);
  if (!phase.sent) problem.applied = 'no';
  if (problem.code === 'forbidden' && phase.sent) {
    forgetAccess(ctx.cluster.client);
    problem.missing = missing(right, pool.namespace);
  }
  return { ok: false, problem };
}
