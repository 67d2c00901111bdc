import type { PodTemplate, Sandbox, SandboxUpdateOps } from '../client/objects';
import { findCondition } from '../rules/conditions';
import { stableJson } from '../rules/hashes';
import { label } from '../rules/keys';
import { strategicMerge } from '../rules/merge';
import { selects } from '../rules/selectors';
import { poolOwner } from '../rules/state';

export type UpdateClass = 'candidate' | 'updating' | 'updated' | 'failed' | 'resumeSucceeded' | 'skipped';

const failures = new Set(['PreUpgradeFailed', 'UpgradePodFailed', 'PostUpgradeFailed', 'CheckpointFailed']);

/**
 * The template after the operation's patch.
 * @throws Error with the controller's text when the patch cannot be merged.
 */
export function patchedTemplate(sandbox: Sandbox, patch: unknown): PodTemplate | undefined {
  if (patch === undefined || sandbox.spec.template === undefined) return sandbox.spec.template;
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch))
    throw new Error('failed to apply strategic merge patch: invalid JSON document');
  // Typed clients send `containers: null` where they mean nothing.
  const merged = strategicMerge(sandbox.spec.template, withoutNullContainers(patch)) as PodTemplate;
  if (!Array.isArray(merged.spec?.containers))
    throw new Error(
      'failed to unmarshal merged template: json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    );
  return merged;
}

function withoutNullContainers(patch: object): object {
  if (!('spec' in patch) || patch.spec === null || typeof patch.spec !== 'object') return patch;
  const { containers, ...spec } = patch.spec as Record<string, unknown>;
  return { ...patch, spec: containers === null ? spec : patch.spec };
}

/** The patch would change nothing. Never so without a patch, or when it cannot be merged. */
function alreadyPatched(ops: SandboxUpdateOps, sandbox: Sandbox): boolean {
  if (ops.spec.patch === undefined || sandbox.spec.template === undefined) return false;
  try {
    return stableJson(patchedTemplate(sandbox, ops.spec.patch)) === stableJson(sandbox.spec.template);
  } catch {
    return false;
  }
}

/** The sandboxes of the namespace that this operation looks at. */
export function isTarget(ops: SandboxUpdateOps, sandbox: Sandbox): boolean {
  const { metadata, status } = sandbox;
  const phase = status?.phase ?? '';
  if (!selects(ops.spec.selector, metadata.labels) || metadata.deletionTimestamp !== undefined) return false;
  if (phase === 'Succeeded' || phase === 'Failed' || poolOwner(sandbox) !== undefined) return false;
  const { states = [] } = ops.spec.stateFilter ?? {};
  const wanted = states.length === 0 ? ['Running'] : states;
  return isOurs(ops, sandbox) || phase === 'Upgrading' || wanted.includes(phase);
}

export function hasSucceeded({ status }: Sandbox): boolean {
  const { status: turned, reason } = findCondition(status?.conditions, 'Upgrading') ?? {};
  return turned === 'True' && reason === 'Succeeded';
}

export const isOurs = (ops: SandboxUpdateOps, sandbox: Sandbox): boolean =>
  sandbox.metadata.labels?.[label.updateOps] === ops.metadata.name;

/** Where a target stands for the operation; `isActive` tells whether another operation of that name is still at work. */
export function classify(ops: SandboxUpdateOps, sandbox: Sandbox, isActive: (name: string) => boolean): UpdateClass {
  const { metadata, status, spec } = sandbox;
  const observed = metadata.generation === status?.observedGeneration;
  const upgrading = findCondition(status?.conditions, 'Upgrading');
  if (!isOurs(ops, sandbox)) {
    const other = metadata.labels?.[label.updateOps];
    if (other !== undefined && isActive(other)) return 'skipped';
    if (status?.phase !== 'Upgrading' && observed && alreadyPatched(ops, sandbox)) return 'skipped';
    const paused = findCondition(status?.conditions, 'SandboxPaused')?.status === 'True' && spec.paused === true;
    return status?.phase === 'Paused' && !paused ? 'skipped' : 'candidate';
  }
  if (!observed) return 'updating';
  if (hasSucceeded(sandbox)) return 'updated';
  if (failures.has(upgrading?.reason ?? '')) return 'failed';
  if (upgrading?.reason === 'ResumeSucceed') return 'resumeSucceeded';
  if (upgrading !== undefined) return 'updating';
  if (alreadyPatched(ops, sandbox)) return 'skipped';
  return status?.phase === 'Running' ? 'resumeSucceeded' : 'updating';
}
