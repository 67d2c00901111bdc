import type { UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { type FailureGroup, isPullFailure } from './failure-groups';
import { draftLike, type OperationReading } from './operation-reading';

export const rescueKinds = [
  /** The same operation with a hook that works (recorded). */
  'correctPreUpgrade',
  /** The same without the hook that is no longer needed, or is given up: nothing is saved before. */
  'withoutPreUpgrade',
  /** The same with a patch that works, without preUpgrade: the old Pod is gone (recorded). */
  'correctPatch',
  /** The same with a patch that makes a valid Pod: as it is, the API server refuses it each time. */
  'correctPod',
  /** The same with another image: the one of the patch does not come. */
  'otherImage',
  /** The image is right, and is to be had: the upgrade goes on by itself. */
  'provideImage',
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
  /** A checkpoint failed, so something works on them: what it says is to be cleared away. */
  'readCheckpoint',
  /** A checkpoint was begun, and nothing is known to complete them. */
  'installCheckpoints',
] as const;
export type RescueKind = (typeof rescueKinds)[number];

export interface RescueStep {
  kind: RescueKind;
  /** What must be made different first: the same again is counted as failed at once (T43). Empty: the draft works as it is. */
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
  if (!group.failed && group.stage !== 'Checkpoint' && group.stage !== 'UpgradePod') return heldUp(group);
  switch (group.stage) {
    case 'PreUpgrade': {
      const without: RescueStep = { kind: 'withoutPreUpgrade', correct: [], draft: like('withPatch', ['postUpgrade']) };
      if (group.rebuilt) return [without];
      const draft = like('withPatch', ['preUpgrade', 'postUpgrade']);
      return [{ kind: 'correctPreUpgrade', correct: ['preUpgrade'], draft }, without];
    }
    case 'Checkpoint':
      return [
        { kind: group.failed ? 'readCheckpoint' : 'installCheckpoints', correct: [] },
        // The hook has run, and what it saved is there.
        { kind: 'recreate', correct: [], draft: { ...like('withPatch', ['postUpgrade']), strategy: 'Recreate' } },
      ];
    case 'UpgradePod': {
      const corrected = (kind: RescueKind): RescueStep => ({
        kind,
        correct: ['patch'],
        draft: like('withPatch', ['postUpgrade']),
      });
      if (group.refused) return [corrected('correctPod')];
      if (group.cause === 'ImagePull' || isPullFailure(group.message)) {
        return [corrected('otherImage'), { kind: 'provideImage', correct: [] }];
      }
      // Its own init containers or those of the runtime: another Pod of the template would say the same.
      if (group.cause === 'InitImageMismatch') return heldUp(group);
      return [{ kind: 'fixPod', correct: [] }, corrected('correctPatch')];
    }
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
