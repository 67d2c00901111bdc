import type { PlanProblem, UpgradePreviewRequest } from '@/lib/contracts/upgrades';
import { isObject, sameJson } from '../json-diff';
import { plainFields } from './merge-keys';
import { patchProblem } from './patch-check';
import type { Classified, PlanDraft, PlanOperation } from './targets';
import { isActive } from './view';

export interface PlanInput {
  draft: PlanDraft & Partial<Pick<UpgradePreviewRequest, 'change'>>;
  /** Undefined: hooks only, or no change is given yet. */
  patch: Record<string, unknown> | undefined;
  classified: Classified;
  /** Of the namespace, the one that works first. */
  operations: readonly PlanOperation[];
  /** Whether anything in the cluster ever completed a Checkpoint (T10). */
  checkpoints: 'answered' | 'none' | 'unknown';
  /** Of a change that restores: the uids of which it is known that they had what it brings. */
  restored?: ReadonlySet<string>;
}

const shownNames = 20;

export function planProblem(
  code: PlanProblem['code'],
  weight: PlanProblem['weight'],
  names: readonly string[] = [],
  detail?: string,
): PlanProblem {
  const problem: PlanProblem = { code, weight, names: names.slice(0, shownNames), count: names.length };
  if (detail !== undefined) problem.detail = detail;
  return problem;
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
      unmergeable[0]?.detail,
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
    const problem = patchProblem(patch);
    if (problem) yield planProblem('patchNotMergeable', 'stops', [], `${problem.path || 'patch'}: ${problem.message}`);
    const hollow = hollowChanges(classified);
    if (hollow.length > 0) yield planProblem('nothingChanges', 'stops', hollow);
  }
  if (draft.strategy !== 'CheckpointRestore') return;
  const images = patch && imageUnderCheckpoint(patch);
  if (images) yield planProblem('imageWithCheckpoint', 'stops', images.containers, images.message);
  if (checkpoints === 'none') yield planProblem('noCheckpointController', 'stops');
  if (checkpoints === 'unknown') yield planProblem('noCheckpointController', 'warns');
}

function* ofHooks({ classified: { targets } }: PlanInput): Generator<PlanProblem> {
  const without = targets.filter(({ noRuntime }) => noRuntime).map(({ name }) => name);
  if (without.length > 0) yield planProblem('hookWithoutRuntime', 'warns', without);
}

/**
 * Targets whose patched template differs in empty lists and maps only. The controller takes them as different and writes
 * what it does not write out: nothing changes, nothing begins, and they are updating for ever.
 */
function hollowChanges({ groups, targets, readings }: Classified): string[] {
  const hollow = groups.filter(
    ({ before, after }) => !sameJson(before, after) && sameJson(withoutEmpty(before), withoutEmpty(after)),
  );
  const keys = new Set(hollow.map(({ key }) => key));
  return targets
    .filter(({ uid, group }) => keys.has(group) && readings.get(uid)?.phase !== 'Upgrading')
    .map(({ name }) => name);
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  // `emptyDir: {}` says what it is by being there; only fields of lists and of plain maps are left out when empty.
  return Object.fromEntries(
    kept.filter(([key, item]) => !(Array.isArray(item) && item.length === 0) && !isEmptyMap(key, item)),
  );
}

const omittedWhenEmpty = ['labels', 'annotations', 'nodeSelector', 'requests', 'limits', 'overhead'];

const isEmptyMap = (key: string, item: unknown): boolean =>
  omittedWhenEmpty.includes(key) && isObject(item) && Object.keys(item).length === 0;

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
