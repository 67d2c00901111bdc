import type { KubeObject } from '@/lib/contracts/objects';
import { anyLabelSelector } from '@/lib/contracts/upgrades';
import { record, text } from '../../read';
import { displayStateOf } from '../../sandbox-state';
import { selects } from '../../upgrades/selectors';
import { isActive } from '../../upgrades/view';
import { readFacts } from '../read-sandbox';
import { type Rule, said } from '../rule';
import { checkController, step, wait } from '../steps';
import { deleteOperation, type OperationScene, saidNumbers } from './rules';

const nothingDone = ({ op }: OperationScene): boolean =>
  (op.updated ?? 0) + (op.updating ?? 0) + (op.failed ?? 0) === 0;

const patchFailure = ({ events }: OperationScene) => events?.find(({ reason }) => reason === 'PatchFailed');

/** Anything is accepted as a patch; what cannot be merged is tried for ever (T50, recorded `update-patch-invalid`). */
export const patchFails: Rule<OperationScene> = {
  code: 'OperationPatchFails',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => scene.op.phase === 'Updating' && nothingDone(scene) && patchFailure(scene) !== undefined,
  evidence: (scene) => [
    said('Event PatchFailed', patchFailure(scene)?.message),
    said('Event PatchFailed count', patchFailure(scene)?.count),
    ...saidNumbers(scene),
  ],
  steps: ({ op }) => [deleteOperation(op), step('CreateChecked')],
  useless: () => [wait()],
};

/** Adopted, seen by the controller, in no upgrade, and without a template that a patch could change. */
function untouchable({ op, rows, sandboxes }: OperationScene): string[] {
  const referring = new Set(sandboxes?.filter(refersOnly).map(({ metadata }) => metadata.name));
  return rows
    .filter(({ state, upgraded, gen, obs }) => state !== 'Upgrading' && !upgraded && gen === obs)
    .filter(({ name }) => !op.hasPatch || referring.has(name))
    .map(({ name }) => name);
}

const refersOnly = ({ spec }: KubeObject): boolean =>
  text(record(record(spec).templateRef).name) !== undefined && record(spec).template === undefined;

/** Counted as updating for ever: nothing in them changes (T11, recorded `update-lifecycle-only`, `update-of-template-ref-sandbox`). */
export const neverEnds: Rule<OperationScene> = {
  code: 'OperationNeverEnds',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => scene.op.phase === 'Updating' && (scene.op.updating ?? 0) > 0 && untouchable(scene).length > 0,
  evidence: (scene) => [
    said('SandboxUpdateOps spec.patch', scene.op.hasPatch ? 'set' : 'none'),
    said('Sandbox', untouchable(scene).slice(0, 5).join(', ')),
    ...saidNumbers(scene),
  ],
  steps: ({ op }) => [deleteOperation(op), step('RemovePolicy')],
  useless: () => [wait(), step('RaiseLimit')],
};

/** Updating, and nothing has changed for long: what holds its sandboxes is told at each of them (T6). */
export const quiet: Rule<OperationScene> = {
  code: 'OperationQuiet',
  kind: 'fault',
  confidence: 'likely',
  // What is known to stop it says more than that it has stopped.
  applies: (scene) =>
    (scene.view.concerns.includes('NoChange') || scene.view.concerns.includes('NothingStarted')) &&
    !patchFails.applies(scene) &&
    !neverEnds.applies(scene),
  evidence: (scene) => [
    ...saidNumbers(scene),
    said('quiet for seconds', scene.view.quietMs === undefined ? undefined : Math.round(scene.view.quietMs / 1000)),
    ...scene.rows
      .filter(({ cause }) => cause)
      .slice(0, 3)
      .map(({ name, cause }) => said(`Sandbox ${name}`, cause?.code)),
  ],
  steps: ({ op }) => [step('CountSandboxes'), checkController(), deleteOperation(op)],
};

/** Selected, and left out without a word: still pausing when it was looked at (T12, recorded `update-ignores-pool-members`). */
export const leftOut: Rule<OperationScene> = {
  code: 'OperationLeftOut',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => pausingOnes(scene).length > 0,
  evidence: (scene) => [said('Sandbox', pausingOnes(scene).join(', ')), ...saidNumbers(scene)],
  steps: () => [step('UpdateLater')],
};

function pausingOnes({ op, object, sandboxes = [] }: OperationScene): string[] {
  const selector = anyLabelSelector.safeParse(record(object?.spec).selector);
  // By default only those that run are taken: one that pauses is then left out as it was asked for.
  if (!op.states?.includes('Paused')) return [];
  if (!selector.success || (!isActive(op) && op.phase !== 'Completed') || op.phase === '') return [];
  return sandboxes
    .filter(({ metadata }) => selects(selector.data, metadata.labels))
    .filter(({ metadata }) => metadata.labels?.['agents.kruise.io/update-ops'] !== op.name)
    .filter((sandbox) => {
      const facts = readFacts(sandbox);
      if (facts?.phase !== 'Paused' || displayStateOf(facts) !== 'Pausing') return false;
      // A pause that came after the operation was over has nothing to do with it.
      const since = facts.conditions.SandboxPaused?.at;
      return isActive(op) || (since !== undefined && op.changedAt !== undefined && since <= op.changedAt);
    })
    .map(({ metadata }) => metadata.name);
}
