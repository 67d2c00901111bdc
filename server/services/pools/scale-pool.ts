import 'server-only';
import { z } from 'zod';
import type { Receipt, RecentAction, ScalePoolRequest } from '@/lib/contracts/writes';
import { kubectlScale } from '@/lib/domain/kubectl';
import { KubeError } from '@/server/kube/errors';
import { audited } from '../audited';
import { fieldManager, type KubeAnswer, type ServiceContext } from '../context';
import { mayWrite, type ObjectName, refusedByCluster } from '../gate';
import { ok, type Result, refuse } from '../result';
import { writerOf } from '../writer';
import { type LivePool, poolPath, poolRight, readPool } from './gate';

const right = { ...poolRight, subresource: 'scale' } as const;

/** autoscaling/v1 Scale. A scale of 0 comes back as an empty spec. */
const scale = z.looseObject({
  metadata: z.looseObject({ uid: z.string().optional(), resourceVersion: z.string().optional() }),
  spec: z.looseObject({ replicas: z.number().int().default(0) }).default({ replicas: 0 }),
});

/**
 * Sets `spec.replicas` of a pool through its scale subresource, and touches nothing else. The webhook does not look at
 * that subresource, so the checks here and in the form are the only ones. The pool is read first: another object of
 * the same name, or another number than the person saw, is refused. A time-out is never tried again.
 */
export function scalePool(ctx: ServiceContext, pool: ObjectName, input: ScalePoolRequest): Promise<Result<Receipt>> {
  const object = { kind: 'SandboxSet', ...pool, uid: input.uid };
  const intent = {
    action: 'scalePool',
    actor: ctx.principal.subject,
    object,
    before: { replicas: input.from },
    after: { replicas: input.to },
    summary: `${input.from} → ${input.to}`,
    ...(input.reason ? { reason: input.reason } : {}),
    requestId: ctx.requestId,
  };
  return audited(ctx, input.dryRun, intent, async (id) => {
    const allowed = await mayWrite(ctx, pool.namespace, right);
    if (!allowed.ok) return allowed;
    const sent = await checkAndPatch(ctx, pool, input);
    if (!sent.ok) return sent;
    const { live, answer } = sent.value;
    const receipt: Receipt = {
      id,
      at: ctx.now(),
      actor: ctx.principal.subject,
      dryRun: input.dryRun,
      action: 'scalePool',
      object,
      changed: answer !== undefined,
      before: live.spec.replicas,
      after: input.to,
      kubectl: kubectlScale(pool.namespace, pool.name, input.from, input.to),
      warnings: answer?.warnings ?? [],
    };
    const version = answer ? scale.parse(answer.body).metadata.resourceVersion : live.metadata.resourceVersion;
    return ok(version === undefined ? receipt : { ...receipt, resourceVersion: version });
  });
}

type Sent = { live: LivePool; answer?: KubeAnswer };

/** A 409 says only that the object moved: it is sent once more, after the same checks (status writes move it all the time). */
async function checkAndPatch(
  ctx: ServiceContext,
  pool: ObjectName,
  input: ScalePoolRequest,
  again = false,
): Promise<Result<Sent>> {
  const phase = { sent: false };
  try {
    const found = await readPool(ctx, pool, input.uid);
    if (!found.ok) return found;
    const live = found.value;
    if (live.spec.replicas === input.to) return ok({ live });
    if (live.spec.replicas !== input.from) return movedOn(ctx, pool, live, input);
    phase.sent = !input.dryRun;
    const answer = await ctx.cluster.client.request({
      method: 'PATCH',
      path: `${poolPath(pool)}/scale`,
      query: { fieldManager, ...(input.dryRun ? { dryRun: 'All' } : {}) },
      contentType: 'application/merge-patch+json',
      body: { spec: { replicas: input.to } },
      as: ctx.principal,
    });
    return verified(pool, input, { live, answer });
  } catch (error) {
    if (error instanceof KubeError && error.status === 409 && !again) return checkAndPatch(ctx, pool, input, true);
    return refusedByCluster(error, ctx, pool.namespace, right, phase);
  }
}

function movedOn(ctx: ServiceContext, pool: ObjectName, live: LivePool, input: ScalePoolRequest): Result<never> {
  const now = live.spec.replicas;
  const isLast = ({ action, result, object }: RecentAction) =>
    action === 'scalePool' && result === 'accepted' && object.namespace === pool.namespace && object.name === pool.name;
  const here = ctx.audit.recent().find(isLast);
  const numbers = { pool: pool.name, now, seen: input.from };
  const more = { applied: 'no' as const, fields: [{ field: 'spec.replicas', message: String(now) }] };
  if (here?.summary.endsWith(`→ ${now}`)) {
    return refuse('conflict', 'replicasChangedHere', { ...numbers, actor: here.actor }, more);
  }
  const writer = writerOf(live.metadata.managedFields, ['spec', 'replicas']);
  return refuse('conflict', 'replicasChanged', { ...numbers, ...writer }, more);
}

function verified(pool: ObjectName, input: ScalePoolRequest, sent: Sent & { answer: KubeAnswer }): Result<Sent> {
  const answered = scale.parse(sent.answer.body);
  if (answered.metadata.uid !== undefined && answered.metadata.uid !== input.uid) {
    return refuse(
      'precondition_failed',
      'poolReplacedMeanwhile',
      { pool: pool.name, uid: answered.metadata.uid, replicas: answered.spec.replicas },
      { applied: input.dryRun ? 'no' : 'unknown' },
    );
  }
  if (answered.spec.replicas !== input.to) {
    return refuse(
      'internal',
      'otherReplicas',
      { answered: answered.spec.replicas, asked: input.to },
      { applied: input.dryRun ? 'no' : 'unknown' },
    );
  }
  return ok(sent);
}
