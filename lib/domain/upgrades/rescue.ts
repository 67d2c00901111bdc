import type { UpgradePreviewRequest } from '@/lib/contracts/upgrades';
import type { FailureGroup } from './failure-groups';
import { draftLike, type OperationReading } from './operation-reading';

export const rescueKinds = [
  /** The same operation with a hook that works (recorded). */
  'correctPreUpgrade',
  /** The same without the hook that is no longer needed, or is given up: nothing is saved before. */
  'withoutPreUpgrade',
  /** The same with a patch that works, without preUpgrade: the old Pod is gone (recorded). */
  'correctPatch',
  /** Nothing but the postUpgrade hook, which goes on where it failed (recorded). */
  'postUpgradeOnly',
  /** The same as Recreate, which asks for no checkpoint: the root file system is lost. */
  'recreate',
  /** Clear away what keeps the Pod from starting: the upgrade goes on by itself. */
  'fixPod',
  /** Set a tag in the template of the sandbox, then delete its Pod; ending the operation does not help (T2). */
  'replaceDigest',
  /** The operation is paused between the two phases. */
  'continueOperation',
  /** Nothing completes checkpoints here. */
  'installCheckpoints',
] as const;
export type RescueKind = (typeof rescueKinds)[number];

export interface RescueStep {
  kind: RescueKind;
  /** What must be made different first: the same again fails at once (T43). Empty: the draft works as it is. */
  correct: ('patch' | 'preUpgrade' | 'postUpgrade')[];
  /** What a new operation would be; absent where none helps. */
  draft?: UpgradePreviewRequest;
}

/** The steps that help a group of sandboxes, the one with the least loss first. */
export function nextSteps(operation: OperationReading, group: FailureGroup): RescueStep[] {
  const targets = { by: 'selection' as const, sandboxes: group.sandboxes };
  const like = (change: 'withPatch' | 'withoutPatch', hooks: ('preUpgrade' | 'postUpgrade')[]) =>
    draftLike(operation, targets, change, hooks);
  // A checkpoint that never comes is no failure to the controller, and helped by the same.
  if (!group.failed && group.stage !== 'Checkpoint') return heldUp(group);
  switch (group.stage) {
    case 'PreUpgrade': {
      const without: RescueStep = { kind: 'withoutPreUpgrade', correct: [], draft: like('withPatch', ['postUpgrade']) };
      if (group.rebuilt) return [without];
      const draft = like('withPatch', ['preUpgrade', 'postUpgrade']);
      return [{ kind: 'correctPreUpgrade', correct: ['preUpgrade'], draft }, without];
    }
    case 'Checkpoint':
      return [
        { kind: 'installCheckpoints', correct: [] },
        // The hook has run, and what it saved is there.
        { kind: 'recreate', correct: [], draft: { ...like('withPatch', ['postUpgrade']), strategy: 'Recreate' } },
      ];
    case 'UpgradePod':
      return [
        { kind: 'fixPod', correct: [] },
        { kind: 'correctPatch', correct: ['patch'], draft: like('withPatch', ['postUpgrade']) },
      ];
    case 'PostUpgrade':
      return [{ kind: 'postUpgradeOnly', correct: ['postUpgrade'], draft: like('withoutPatch', ['postUpgrade']) }];
    default:
      return [];
  }
}

function heldUp({ cause }: FailureGroup): RescueStep[] {
  switch (cause) {
    case 'InitImageMismatch':
      return [{ kind: 'replaceDigest', correct: [] }];
    case 'WaitingForPatch':
      return [{ kind: 'continueOperation', correct: [] }];
    default:
      return [{ kind: 'fixPod', correct: [] }];
  }
}
