import 'server-only';
import type { JsonPatchOp, PatchPoolTemplateRequest, Receipt } from '@/lib/contracts/writes';
import { sameJson } from '@/lib/domain/json-diff';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { redactObject } from '@/lib/domain/redact';
import { KubeError } from '@/server/kube/errors';
import { audited } from '../audited';
import { fieldManager, type KubeAnswer, type ServiceContext } from '../context';
import { isFailedTest, mayWrite, type ObjectName, refusedByCluster } from '../gate';
import { ok, type Result } from '../result';
import { type LivePool, livePool, poolPath, poolRight, readPool } from './gate';
import { shownPatch } from './masked';
import { describeChange, planPatch } from './template-plan';

/**
 * Changes the template of a pool by a JSON Patch whose `test` operations hold the pool's uid and what the person saw,
 * so that containers, variables and fields that the change does not name survive, and a race is refused. A full object
 * is never sent. A time-out is never tried again.
 */
export async function patchPoolTemplate(
  ctx: ServiceContext,
  pool: ObjectName,
  input: PatchPoolTemplateRequest,
): Promise<Result<Receipt>> {
  const described = describeChange(input);
  if (!described.ok) return described;
  const object = { kind: 'SandboxSet', ...pool, uid: input.uid };
  const intent = {
    action: 'patchPoolTemplate',
    actor: ctx.principal.subject,
    object,
    ...described.value,
    ...(input.reason ? { reason: input.reason } : {}),
    requestId: ctx.requestId,
  };
  return audited(ctx, input.dryRun, intent, async (id) => {
    const allowed = await mayWrite(ctx, pool.namespace, poolRight);
    if (!allowed.ok) return allowed;
    const sent = await checkAndPatch(ctx, pool, input);
    if (!sent.ok) return sent;
    const { live, ops, answer } = sent.value;
    const result = answer ? livePool.parse(answer.body) : live;
    const { resourceVersion, generation } = result.metadata;
    const patch = shownPatch(ops, live);
    return ok({
      id,
      at: ctx.now(),
      actor: ctx.principal.subject,
      dryRun: input.dryRun,
      action: 'patchPoolTemplate',
      object,
      changed: !sameJson(live.spec.template, result.spec.template),
      before: redactObject(live.spec.template),
      after: redactObject(result.spec.template),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(generation === undefined ? {} : { generation }),
      kubectl: kubectlJsonPatch(pool.namespace, 'sbs', pool.name, patch),
      patch,
      warnings: answer?.warnings ?? [],
    });
  });
}

type Sent = { live: LivePool; ops: JsonPatchOp[]; answer?: KubeAnswer };

async function checkAndPatch(
  ctx: ServiceContext,
  pool: ObjectName,
  input: PatchPoolTemplateRequest,
  again = false,
): Promise<Result<Sent>> {
  const phase = { sent: false };
  try {
    const found = await readPool(ctx, pool, input.uid);
    if (!found.ok) return found;
    const live = found.value;
    const planned = planPatch(pool, live, input);
    if (!planned.ok) return planned;
    const ops = planned.value;
    if (ops.length === 0) return ok({ live, ops });
    phase.sent = !input.dryRun;
    const answer = await ctx.cluster.client.request({
      method: 'PATCH',
      path: poolPath(pool),
      query: { fieldManager, ...(input.dryRun ? { dryRun: 'All' } : {}) },
      contentType: 'application/json-patch+json',
      body: ops,
      as: ctx.principal,
    });
    return ok({ live, ops, answer });
  } catch (error) {
    // Tested on the server, so sending it once more after a 409 is safe. A test that failed there is a 422 which does
    // not say which one: a second look at the pool does.
    const raced = (error instanceof KubeError && error.status === 409) || isFailedTest(error);
    if (raced && !again) return checkAndPatch(ctx, pool, input, true);
    return refusedByCluster(error, ctx, pool.namespace, poolRight, phase);
  }
}
