import type { PlanProblem, UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { isObject } from '../json-diff';
import { plainFields } from './merge-keys';
import { patchProblem } from './patch-check';
import { planProblem } from './plan-problem';
import { unknownField } from './pod-fields';
import type { Classified, PlanDraft, PlanOperation } from './targets';
import { addedContainers, hollowChanges, refusedPods } from './template-problems';
import { isActive } from './view';

/**
 * Whether anything in the cluster takes up Checkpoints (T10): it did; the kind is not there; none was ever taken up, and one
 * waits longer than a slow controller takes (`silent`) or not yet (`waiting`); there is nothing to tell it by.
 */
export type CheckpointAnswers = 'answered' | 'noKind' | 'silent' | 'waiting' | 'unknown';

export interface PlanInput {
  draft: PlanDraft & Partial<Pick<UpgradePreviewRequest, 'change'>>;
  /** Undefined: hooks only, or no change is given yet. */
  patch: Record<string, unknown> | undefined;
  classified: Classified;
  /** Of the namespace, the one that works first. */
  operations: readonly PlanOperation[];
  checkpoints: CheckpointAnswers;
  /** Of a change that restores: the uids of which it is known that they had what it brings. */
  restored?: ReadonlySet<string>;
}

/** What will be refused or cannot end well, known before sending; what stops comes first. */
export function planProblems(input: PlanInput): PlanProblem[] {
  const found = [...ofNamespace(input), ...ofTargets(input), ...ofPatch(input), ...ofHooks(input)];
  return [...found.filter(({ weight }) => weight === 'stops'), ...found.filter(({ weight }) => weight === 'warns')];
}

function* ofNamespace({ draft, operations }: PlanInput): Generator<PlanProblem> {
  if (operations.some(({ name }) => name === draft.name)) yield planProblem('nameTaken', 'stops', [draft.name ?? '']);
  const active = operations.filter(isActive).map(({ name }) => name);
  if (active.length > 0) yield planProblem('namespaceLocked', 'stops', active);
}

function* ofTargets({ classified, draft, patch }: PlanInput): Generator<PlanProblem> {
  const { targets, leftOut, readings } = classified;
  const left = (reason: string) => leftOut.filter((each) => each.reason === reason);
  const upToDate = left('upToDate').map(({ name }) => name);
  const references = left('templateRef').map(({ name }) => name);
  const unmergeable = left('unmergeable');
  if (references.length > 0) yield planProblem('templateRef', 'stops', references);
  if (unmergeable.length > 0 && patchProblem(patch) === undefined) {
    yield planProblem(
      'patchNotMergeable',
      'stops',
      unmergeable.map(({ name }) => name),
      { faults: unmergeable.flatMap(({ fault }) => fault ?? []).slice(0, 1) },
    );
  }
  if (targets.length === 0 && references.length + unmergeable.length === 0) {
    yield upToDate.length > 0
      ? planProblem('nothingChanges', 'stops', upToDate)
      : planProblem('nothingMatches', 'stops');
  }
  const identical = targets.filter(({ identicalRetry }) => identicalRetry).map(({ name }) => name);
  if (identical.length > 0) yield planProblem('identicalRetry', 'stops', identical);
  if (patch !== undefined || !('change' in draft) || draft.change === undefined) return;
  // Without a patch only those that are in an upgrade already are worked on (domain 6.6, T11).
  const idle = targets.filter(({ uid }) => readings.get(uid)?.phase !== 'Upgrading');
  const before = idle.filter(({ uid, phase }) => phase === 'Running' && readings.get(uid)?.upgrading?.done === true);
  const never = idle.filter((each) => !before.includes(each)).map(({ name }) => name);
  if (never.length > 0) yield planProblem('lifecycleOnlyNeverEnds', 'stops', never);
  if (before.length > 0)
    yield planProblem(
      'nothingChanges',
      'warns',
      before.map(({ name }) => name),
    );
}

function* ofPatch({ draft, patch, classified, checkpoints, restored }: PlanInput): Generator<PlanProblem> {
  const others = restored ? classified.targets.filter(({ uid }) => !restored.has(uid)) : [];
  if (others.length > 0) {
    yield planProblem(
      'historyUnknown',
      'warns',
      others.map(({ name }) => name),
    );
  }
  if (patch !== undefined) {
    const fault = patchProblem(patch);
    if (fault) yield planProblem('patchNotMergeable', 'stops', [], { faults: [fault] });
    const hollow = hollowChanges(classified);
    if (hollow.length > 0) yield planProblem('nothingChanges', 'stops', hollow);
    yield* refusedPods(classified);
    // What is brought back was made by the server, of templates that were.
    if (restored === undefined) {
      const unknown = unknownField(patch);
      if (unknown) yield planProblem('unknownField', 'stops', [], { faults: [unknown] });
      yield* addedContainers(classified);
    }
  }
  if (draft.strategy !== 'CheckpointRestore') return;
  const images = patch && imageUnderCheckpoint(patch);
  if (images) yield planProblem('imageWithCheckpoint', 'stops', images.containers, { detail: images.message });
  if (checkpoints === 'noKind') yield planProblem('noCheckpointKind', 'stops');
  if (checkpoints === 'silent') yield planProblem('noCheckpointController', 'stops');
  if (checkpoints === 'waiting') yield planProblem('checkpointWaits', 'warns');
  if (checkpoints === 'unknown') yield planProblem('checkpointsUnknown', 'warns');
}

function* ofHooks({ classified: { targets } }: PlanInput): Generator<PlanProblem> {
  const without = targets.filter(({ noRuntime }) => noRuntime).map(({ name }) => name);
  if (without.length > 0) yield planProblem('hookWithoutRuntime', 'warns', without);
}

/**
 * Rule and words of the webhook v-suo.kb.io (pkg/webhook/sandboxupdateops/validating at 0b72c83a): a checkpoint holds the
 * file system of the old image. Main containers are looked at first; an image that is null or '' is none. All containers
 * with one are named, the message is about the first.
 */
export function imageUnderCheckpoint(patch: unknown): { containers: string[]; message: string } | undefined {
  const spec = isObject(patch) ? plainFields(patch).spec : undefined;
  if (!isObject(spec)) return undefined;
  const withImage = (list: unknown) =>
    (Array.isArray(list) ? list.filter(isObject) : [])
      .filter(({ image }) => typeof image === 'string' && image !== '')
      .map(({ name }) => (typeof name === 'string' ? name : ''));
  const main = withImage(spec.containers);
  const init = withImage(spec.initContainers);
  const first = main[0] ?? init[0];
  if (first === undefined) return undefined;
  const what = main.length > 0 ? 'container images' : 'init container images';
  return {
    containers: [...main, ...init],
    message: `CheckpointRestore strategy does not support modifying ${what} (container ${JSON.stringify(first)})`,
  };
}
