import 'server-only';
import type { PlanProblem, UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { holdsMask } from '@/lib/domain/redact';
import { planProblems } from '@/lib/domain/upgrades/plan-problems';
import { selectorOf } from '@/lib/domain/upgrades/selectors';
import { type Classified, classifyTargets, type PlanOperation } from '@/lib/domain/upgrades/targets';
import { englishField, ok, type Result, refuse } from '../result';
import { checkpointsAnswered, listSandboxes, visibleOperations } from './list-sandboxes';
import { resolveChange } from './restore';
import type { UpgradeContext } from './upgrade-context';

/** What would become of a draft now. Patch and groups are whole: secrets are not masked. */
export type Plan = {
  patch: Record<string, unknown> | undefined;
  classified: Classified;
  operations: PlanOperation[];
  problems: PlanProblem[];
};

/** Reads the cluster as the person, and lets the rules judge; throws `KubeError`. */
export async function makePlan(
  ctx: Pick<UpgradeContext, 'cluster' | 'principal' | 'now' | 'history' | 'journal'>,
  draft: UpgradePreviewRequest,
): Promise<Result<Plan>> {
  const resolved = await resolveChange(ctx, draft.namespace, draft.change);
  if (!resolved.ok) return resolved;
  const { patch, restored } = resolved.value;
  const masked = maskedFields({ patch, preUpgrade: draft.preUpgrade, postUpgrade: draft.postUpgrade });
  if (masked.length > 0) {
    const fields = masked.map((field) => ({
      field,
      message: englishField('maskedValue'),
      reason: 'maskedValue' as const,
    }));
    return refuse('validation', 'maskedValue', { field: masked[0] ?? '' }, { applied: 'no', fields });
  }
  // Single ones are chosen by uid, which no selector knows: all are read.
  const listed = draft.targets.by === 'selection' ? undefined : selectorOf(draft.targets, undefined);
  const [sandboxes, operations, checkpoints] = await Promise.all([
    listSandboxes(ctx, draft.namespace, listed),
    visibleOperations(ctx, draft.namespace),
    draft.strategy === 'CheckpointRestore' ? checkpointsAnswered(ctx, draft.namespace) : ('unknown' as const),
  ]);
  const classified = classifyTargets({ sandboxes, operations, draft, patch });
  return ok({
    patch,
    classified,
    operations,
    problems: planProblems({ draft, patch, classified, operations, checkpoints, ...(restored ? { restored } : {}) }),
  });
}

/** Fields that hold dots where a value should be, as people write paths. */
export function maskedFields(value: unknown, path = ''): string[] {
  if (!holdsMask(value)) return [];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => {
    if (!Array.isArray(value)) return maskedFields(item, path === '' ? key : `${path}.${key}`);
    const name = typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : key;
    return maskedFields(item, `${path}[${name}]`);
  });
}
