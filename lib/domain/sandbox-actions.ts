import type { DisplayState, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import type { StepCode } from './diagnosis/steps';
import { isActive } from './upgrades/view';

/** What decides whether something can be done with a sandbox now. What is absent is not known, and forbids nothing. */
export interface ActionScene {
  state: DisplayState;
  phase: string;
  /** Reason of the Upgrading condition while state is Upgrading. */
  stage?: string | undefined;
  /** spec.paused is true. */
  paused: boolean;
  /** Controlled by its SandboxSet. */
  idle: boolean;
  /** The operation that has taken it up, is not over, and has not done with it. */
  operation?: string | undefined;
  /** spec.templateRef without a template of its own. */
  templateRef?: string | undefined;
  noTemplate?: boolean | undefined;
  finalizers?: readonly string[] | undefined;
  /** False: there is no Pod of its name. */
  pod?: boolean | undefined;
}

/** Why something cannot be done now: keys of the sentence `common.refusal.notNow`. */
export const notNow = [
  'deleting',
  'notDeleting',
  'ended',
  'ofPool',
  'creating',
  'pausing',
  'resuming',
  'upgrading',
  'operation',
  'recycling',
  'otherPhase',
  'noPod',
  'podIsLife',
  'inPlace',
  'templateRef',
  'noTemplate',
] as const;
export type NotNow = (typeof notNow)[number];

/** `already`: nothing is left to do. `of` names the operation, template or phase that stands in the way. */
export type Permission = { state: 'allowed' } | { state: 'already' } | { state: 'refused'; why: NotNow; of?: string };

const allowed: Permission = { state: 'allowed' };
const already: Permission = { state: 'already' };
const refused = (why: NotNow, of?: string): Permission => ({
  state: 'refused',
  why,
  ...(of === undefined ? {} : { of }),
});

/** Stages of an upgrade in which the controller makes a Pod that is missing (domain 4.6). */
const remakesPod = new Set(['Resuming', 'UpgradePod', 'UpgradePodFailed']);

/**
 * May this be done with a sandbox in this state? The table mirrors what the controller does with such a write (domain 4.1–4.8,
 * snapshot 0b72c83a): refused is what it ignores, or what ends the sandbox by surprise. Rights are asked for elsewhere.
 */
export function permissionFor(action: SandboxAction, scene: ActionScene): Permission {
  if (action === 'removeFinalizer') return finalizer(scene);
  if (scene.state === 'Terminating') return action === 'deleteSandbox' ? already : refused('deleting');
  switch (action) {
    case 'deleteSandbox':
      return allowed;
    case 'setDeadline':
      // Of a member of a pool the claim writes them; one that expires is merely replaced.
      if (scene.idle) return refused('ofPool');
      return hasEnded(scene) ? refused('ended') : allowed;
    case 'pauseSandbox':
      return pause(scene);
    case 'resumeSandbox':
      return resume(scene);
    case 'deletePod':
      return deletePod(scene);
    case 'changeImages':
      return changeImages(scene);
  }
}

const hasEnded = ({ state }: ActionScene): boolean => state === 'Failed' || state === 'Succeeded';

function finalizer({ state, finalizers }: ActionScene): Permission {
  if (state !== 'Terminating') return refused('notDeleting');
  return finalizers?.length === 0 ? already : allowed;
}

/** A paused member of a pool counts as one that is being created, for ever (domain 3, row 6). */
function pause(scene: ActionScene): Permission {
  if (hasEnded(scene)) return refused('ended');
  if (scene.paused) return already;
  if (scene.idle) return refused('ofPool');
  switch (scene.state) {
    case 'Creating':
      return refused('creating');
    case 'Resuming':
      // Only observedGeneration moves (recorded `resume-stuck-digest-init-container`).
      return refused('resuming');
    case 'Upgrading':
      return refused('upgrading', scene.operation);
    case 'Recycling':
      return refused('recycling');
    case 'Other':
      return refused('otherPhase', scene.phase);
    default:
      return scene.operation === undefined ? allowed : refused('operation', scene.operation);
  }
}

/** While it is pausing the controller keeps the wish, and resumes when the old Pod is gone (recorded `pause-while-resuming`). */
function resume(scene: ActionScene): Permission {
  if (hasEnded(scene)) return refused('ended');
  if (!scene.paused) return already;
  // Un-paused in the middle, it ends Running with the finalizer of a pause (recorded `unpause-during-paused-update`, T53).
  if (scene.state === 'Upgrading') return refused('upgrading', scene.operation);
  return scene.operation === undefined ? allowed : refused('operation', scene.operation);
}

/** A running sandbox whose Pod goes is Failed for ever (recorded `sandbox-pod-deleted`, T25); elsewhere a new one is made. */
function deletePod(scene: ActionScene): Permission {
  switch (scene.state) {
    case 'Creating':
    case 'Resuming':
      break;
    case 'Upgrading':
      if (!remakesPod.has(scene.stage ?? '')) return refused('upgrading', scene.operation);
      break;
    case 'Pausing':
      return refused('pausing');
    case 'Paused':
      return refused('noPod');
    case 'Recycling':
      return refused('recycling');
    case 'Failed':
    case 'Succeeded':
      return refused('ended');
    case 'Other':
      return refused('otherPhase', scene.phase);
    default:
      return refused('podIsLife');
  }
  return scene.pod === false ? refused('noPod') : allowed;
}

/**
 * A template that is edited while the sandbox is paused, or hangs, is what its next Pod is made from (domain 4.5). On a running
 * one the controller changes the containers in place, once, and never ends when the new name is the same image (T15).
 */
function changeImages(scene: ActionScene): Permission {
  if (hasEnded(scene)) return refused('ended');
  if (scene.idle) return refused('ofPool');
  if (scene.templateRef !== undefined) return refused('templateRef', scene.templateRef);
  if (scene.noTemplate) return refused('noTemplate');
  switch (scene.state) {
    case 'Creating':
    case 'Resuming':
      return allowed;
    case 'Paused':
    case 'Pausing':
      return scene.operation === undefined ? allowed : refused('operation', scene.operation);
    case 'Upgrading':
      return scene.stage === 'Resuming' ? allowed : refused('upgrading', scene.operation);
    case 'Recycling':
      return refused('recycling');
    case 'Other':
      return refused('otherPhase', scene.phase);
    default:
      return refused('inPlace');
  }
}

/** As far as a row tells: its template, finalizers and Pod are not in it. */
export function sceneOfRow(
  row: SandboxRow,
  operationOf: (ns: string, name: string) => UpgradeRow | undefined,
): ActionScene {
  const op = row.op === undefined || row.upgraded ? undefined : operationOf(row.ns, row.op);
  return {
    state: row.state,
    phase: row.phase,
    stage: row.stage,
    paused: row.paused ?? false,
    idle: row.idle ?? false,
    operation: op && isActive(op) ? op.name : undefined,
  };
}

/** Safest first, as menus list them. */
export const sandboxActions = [
  'setDeadline',
  'pauseSandbox',
  'resumeSandbox',
  'deletePod',
  'changeImages',
  'deleteSandbox',
  'removeFinalizer',
] as const satisfies readonly SandboxAction[];

const stepActions: Partial<Record<StepCode, SandboxAction | 'retagPool'>> = {
  ExtendShutdown: 'setDeadline',
  PauseAgain: 'pauseSandbox',
  PauseThenResume: 'pauseSandbox',
  ReplacePod: 'deletePod',
  DeletePod: 'deletePod',
  RetagThenReplacePod: 'changeImages',
  NewTemplateAlone: 'changeImages',
  RetagPool: 'retagPool',
  DeleteSandbox: 'deleteSandbox',
  RemoveFinalizer: 'removeFinalizer',
};

/** The action of the console that does what a step of a verdict says; undefined: it is done elsewhere. */
export const actionOfStep = (code: StepCode): SandboxAction | 'retagPool' | undefined => stepActions[code];
