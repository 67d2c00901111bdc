import 'server-only';
import type { SandboxAction, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { JsonPatchOp, Receipt } from '@/lib/contracts/writes';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { KubeError } from '@/server/kube/errors';
import { audited } from '../audited';
import { fieldManager, type ServiceContext } from '../context';
import { isFailedTest, mayWrite, objectPath, type Right, refusedByCluster } from '../gate';
import { shownPatch } from '../pools/masked';
import { ok, type Result } from '../result';
import { type LiveSandbox, nameOf, parseSandbox, readForAction } from './live-sandbox';

export type How = { dryRun: boolean; reason?: string | undefined };

/** One write on one sandbox, in words for the log and in what it sends. */
export type SandboxWrite = {
  action: SandboxAction;
  right: Right;
  summary: string;
  /** What the log tells of it; no secrets. */
  before: Record<string, unknown>;
  after: Record<string, unknown> | null;
};

/** What was sent, and what came of it; without an answer nothing was left to do. */
export type Sent = Pick<Receipt, 'before' | 'after' | 'kubectl'> &
  Partial<Pick<Receipt, 'patch' | 'resourceVersion' | 'generation' | 'warnings'>> & { changed: boolean };

/**
 * The frame of every write on a sandbox: audit, right, and the sending, once more after a race. Everything that is sent is
 * tested on the API server, so that a second sending after a refused test is safe; a time-out is never tried again.
 */
export function writeSandbox(
  ctx: ServiceContext,
  target: SandboxTarget,
  write: SandboxWrite,
  { dryRun, reason }: How,
  send: (phase: { sent: boolean }) => Promise<Result<Sent>>,
): Promise<Result<Receipt>> {
  const { action, right, summary, before, after } = write;
  const object = { kind: 'Sandbox', namespace: target.ns, name: target.name, uid: target.uid };
  const intent = {
    action,
    actor: ctx.principal.subject,
    object,
    before,
    after,
    summary,
    ...(reason ? { reason } : {}),
    requestId: ctx.requestId,
  };
  return audited(ctx, dryRun, intent, async (id) => {
    const allowed = await mayWrite(ctx, target.ns, right);
    if (!allowed.ok) return allowed;
    const sent = await attempt(ctx, target, right, send);
    if (!sent.ok) return sent;
    return ok({ id, at: ctx.now(), actor: ctx.principal.subject, dryRun, action, object, warnings: [], ...sent.value });
  });
}

async function attempt(
  ctx: ServiceContext,
  target: SandboxTarget,
  right: Right,
  send: (phase: { sent: boolean }) => Promise<Result<Sent>>,
  again = false,
): Promise<Result<Sent>> {
  const phase = { sent: false };
  try {
    return await send(phase);
  } catch (error) {
    const raced = (error instanceof KubeError && error.status === 409) || isFailedTest(error);
    if (raced && !again) return attempt(ctx, target, right, send, true);
    return refusedByCluster(error, ctx, target.ns, right, phase);
  }
}

const patchRight = { verb: 'patch', resource: 'sandboxes' } as const satisfies Right;

/**
 * Changes a sandbox by a JSON Patch that tests its uid and generation, and with it all of its spec that the plan was made from.
 * @param plan the operations for the sandbox as it is now, [] when it already is as asked; and what a receipt tells of it
 */
export function patchSandbox(
  ctx: ServiceContext,
  target: SandboxTarget,
  write: Omit<SandboxWrite, 'right'>,
  how: How,
  plan: (live: LiveSandbox) => Result<{ ops: JsonPatchOp[]; before: unknown; after: unknown }>,
): Promise<Result<Receipt>> {
  return writeSandbox(ctx, target, { ...write, right: patchRight }, how, async (phase) => {
    const found = await readForAction(ctx, target, write.action);
    if (!found.ok) return found;
    const { live, already } = found.value;
    const planned = plan(live);
    if (!planned.ok) return planned;
    const { ops, before, after } = planned.value;
    const { generation, resourceVersion } = live.metadata;
    const patch: JsonPatchOp[] = [
      { op: 'test', path: '/metadata/uid', value: target.uid },
      ...(generation === undefined ? [] : [{ op: 'test' as const, path: '/metadata/generation', value: generation }]),
      ...ops,
    ];
    const kubectl = kubectlJsonPatch(target.ns, 'sbx', target.name, shownPatch(patch, live));
    if (already || ops.length === 0) return ok({ changed: false, before, after: before, kubectl, resourceVersion });
    phase.sent = !how.dryRun;
    const answer = await ctx.cluster.client.request({
      method: 'PATCH',
      path: objectPath('sandboxes', nameOf(target)),
      query: { fieldManager, ...(how.dryRun ? { dryRun: 'All' } : {}) },
      contentType: 'application/json-patch+json',
      body: patch,
      as: ctx.principal,
    });
    const { metadata } = parseSandbox(answer.body);
    return ok({
      changed: true,
      before,
      after,
      kubectl,
      patch: shownPatch(patch, live),
      resourceVersion: metadata.resourceVersion,
      generation: metadata.generation,
      warnings: answer.warnings,
    });
  });
}
