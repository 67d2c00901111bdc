import 'server-only';
import { kubeObject } from '@/lib/contracts/objects';
import type { UpgradeDraft } from '@/lib/contracts/upgrades';
import type { UpgradeManifest } from '@/lib/domain/upgrades/manifest';
import { KubeError } from '@/server/kube/errors';
import { guardAnnotation } from '../../history/guards';
import { fieldManager, type KubeAnswer } from '../context';
import { collectionPath } from '../gate';
import { ok, type Result } from '../result';
import { upgrades } from './live-upgrade';
import type { Plan } from './plan';
import { markSelection } from './selection';
import type { UpgradeContext } from './upgrade-context';

/**
 * The guard is stored before the operation exists, and marks it: whatever ends in between, none is lost, and none gets to
 * an operation of the same name that it was not meant for. Throws `KubeError`, and
 * `HistoryUnavailable` before anything is written.
 */
export async function sendUpgrade(
  ctx: UpgradeContext,
  draft: UpgradeDraft,
  plan: Plan,
  manifest: UpgradeManifest,
  phase: { sent: boolean },
): Promise<Result<KubeAnswer>> {
  const target = { namespace: draft.namespace, opName: draft.name };
  const guard = draft.guard && (await ctx.guards.prepare(target, draft.guard, ctx.principal));
  const annotated = guard
    ? {
        ...manifest,
        metadata: {
          ...manifest.metadata,
          annotations: { ...manifest.metadata.annotations, [guardAnnotation]: guard },
        },
      }
    : manifest;
  try {
    const marked = await mark(ctx, draft, plan, false);
    if (!marked.ok) {
      if (guard) await ctx.guards.cancel(guard);
      return marked;
    }
    phase.sent = true;
    const answer = await post(ctx, annotated, false);
    if (guard) await ctx.guards.bind(guard, kubeObject.parse(answer.body).metadata.uid);
    return ok(answer);
  } catch (error) {
    // Without an answer it may exist: then the watch shows it, and the mark tells.
    const isRefusal = error instanceof KubeError && error.cause === 'http' && error.status < 500;
    if (guard && isRefusal) await ctx.guards.cancel(guard);
    throw error;
  }
}

export async function mark(
  ctx: UpgradeContext,
  draft: UpgradeDraft,
  plan: Plan,
  dryRun: boolean,
): Promise<Result<void>> {
  if (draft.targets.by !== 'selection') return ok(undefined);
  return markSelection(ctx, draft, plan.classified.readings, dryRun);
}

export function post(ctx: UpgradeContext, manifest: UpgradeManifest, dryRun: boolean): Promise<KubeAnswer> {
  return ctx.cluster.client.request({
    method: 'POST',
    path: collectionPath(upgrades, manifest.metadata.namespace),
    query: { fieldManager, fieldValidation: 'Strict', ...(dryRun ? { dryRun: 'All' } : {}) },
    body: manifest,
    as: ctx.principal,
  });
}
