import type { Stories } from './story';

/** Recordings of updates that fail, hang, or leave something behind. */
export const upgradeFailureStories: Stories = {
  // The Checkpoint of the first is completed by hand at 36.2; the update is deleted at 46.4.
  'checkpoint-restore-without-controller': {
    'box-1': `3.02 Creating | 4.29 Running | 6.08 Upgrading/Checkpointing CheckpointPending | 36.24 Upgrading/UpgradePod
      | 38.37 Running`,
    'box-2': '3.58 Creating | 4.72 Running | 38.43 Upgrading/Checkpointing CheckpointPending',
    'up-1': '6.02 - | 6.06 Updating | 46.38 Terminating',
    'box-1-82f5z7tg': '6.05 - | 36.24 Succeeded @?',
    'box-2-6rw7c5dh': '38.41 -',
  },
  // The hook of the first ran from 4.5 on, and its upgrade began with it.
  'hook-timeout-and-unreachable': {
    'box-1': `1.66 Creating | 2.79 Running | 9.53 Upgrading/PreUpgradeFailed HookFailed @4.48
      | 9.54 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade`,
    'box-2': `1.88 Creating | 3.08 Running | 4.52 Upgrading/PreUpgradeFailed HookFailed
      | 9.54 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade`,
    'box-3': `2.11 Creating | 3.24 Running | 23.80 Upgrading/PreUpgradeFailed HookFailed
      | 23.83 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade`,
    'up-1': '4.46 - | 4.51 Updating | 9.54 Failed OperationFailures',
    'up-2': '23.75 - | 23.78 Updating | 23.83 Failed OperationFailures',
  },
  // Deleted at 8.5, the update has left its policy: the edit at 12.5 replaces the Pod.
  'leftover-upgrade-policy': {
    'box-1': `1.80 Creating | 5.04 Running | 6.38 Upgrading/UpgradePod | 10.34 Running +LeftoverPolicy
      | 12.52 Running | 12.54 Upgrading/UpgradePod | 16.46 Running +LeftoverPolicy`,
    'up-1': '6.32 - | 6.36 Updating | 8.46 Terminating',
  },
  'paused-update-stuck-digest': {
    pinned: `1.91 Creating | 3.09 Running +WouldStrand | 4.28 Pausing +WouldStrand | 5.02 Pausing +MayStrand
      | 5.03 Paused +MayStrand | 6.33 Upgrading/Resuming | 7.40 Upgrading/Resuming InitImageMismatch! | 41.39 Upgrading/Resuming InitImageMismatch! +OrphanedUpgrade`,
    'up-1': '6.25 - | 6.29 Updating | 41.38 Terminating',
  },
  // Six at once: one works, five wait, and wait on when it is done at 18.8. An edit at 33 wakes one.
  'second-update-race': {
    'box-1': '4.38 Creating | 7.65 Running | 10.87 Upgrading/UpgradePod | 14.77 Running',
    'box-2': '4.97 Creating | 8.22 Running | 14.84 Upgrading/UpgradePod | 18.78 Running',
    other: '9.47 Creating | 10.60 Running',
    'up-1': '10.79 - | 10.83 Updating | 18.82 Completed',
    'up-2':
      '10.79 - | 10.83 - OperationWaits | 18.82 - | 20.8 - OperationNotTaken | 32.95 - | 32.96 Updating @10.8 | 32.98 Completed',
    'up-3':
      '10.79 - | 10.83 - OperationWaits | 18.82 - | 20.8 - OperationNotTaken | 32.96 - OperationWaits | 32.98 - OperationNotTaken',
    'up-4':
      '10.79 - | 10.83 - OperationWaits | 18.82 - | 20.8 - OperationNotTaken | 32.96 - OperationWaits | 32.98 - OperationNotTaken',
    'up-5':
      '10.79 - | 10.83 - OperationWaits | 18.82 - | 20.8 - OperationNotTaken | 32.96 - OperationWaits | 32.98 - OperationNotTaken',
    'up-6':
      '10.79 - | 10.83 - OperationWaits | 18.82 - | 20.8 - OperationNotTaken | 32.96 - OperationWaits | 32.98 - OperationNotTaken',
  },
  // The limit of one is full at 6.9; of two at 31.9; of four it is not, and then all have failed.
  'update-deadlock-failures': {
    'box-1': `1.68 Creating | 2.81 Running | 4.68 Upgrading/UpgradePod | 6.79 Upgrading/UpgradePod ImagePull
      | 6.81 Upgrading/UpgradePodFailed UpgradePodFailed | 47.67 Upgrading/UpgradePodFailed UpgradePodFailed +OrphanedUpgrade`,
    'box-2': `1.86 Creating | 3.04 Running | 29.82 Upgrading/UpgradePod | 31.90 Upgrading/UpgradePod ImagePull
      | 31.91 Upgrading/UpgradePodFailed UpgradePodFailed | 47.67 Upgrading/UpgradePodFailed UpgradePodFailed +OrphanedUpgrade`,
    'box-3': `2.06 Creating | 3.23 Running | 45.26 Upgrading/UpgradePod | 47.43 Upgrading/UpgradePod ImagePull
      | 47.50 Upgrading/UpgradePodFailed UpgradePodFailed | 47.67 Upgrading/UpgradePodFailed UpgradePodFailed +OrphanedUpgrade`,
    'box-4': `2.24 Creating | 3.37 Running | 45.28 Upgrading/UpgradePod | 47.45 Upgrading/UpgradePod ImagePull
      | 47.56 Upgrading/UpgradePodFailed UpgradePodFailed | 47.67 Upgrading/UpgradePodFailed UpgradePodFailed +OrphanedUpgrade`,
    'up-1': `4.61 - | 4.66 Updating | 6.85 Updating OperationDeadlocked | 29.76 Updating | 31.93 Updating OperationDeadlocked
      | 45.22 Updating | 47.67 Failed OperationFailures`,
  },
  'update-deleted-midway': {
    'box-1': '1.73 Creating | 4.92 Running | 6.98 Upgrading/UpgradePod | 10.88 Running',
    'box-2': '2.09 Creating | 5.29 Running | 10.94 Upgrading/UpgradePod | 14.91 Running +LeftoverPolicy',
    'box-3': '2.40 Creating | 5.66 Running',
    'up-1': '6.89 - | 6.94 Updating | 12.53 Terminating',
  },
  'update-fails-bad-image': {
    'box-1': `3.41 Creating | 4.59 Running | 7.21 Upgrading/UpgradePod | 9.25 Upgrading/UpgradePod ImagePull
      | 9.30 Upgrading/UpgradePodFailed UpgradePodFailed | 9.40 Upgrading/UpgradePodFailed UpgradePodFailed +OrphanedUpgrade
      | 30.23 Upgrading/UpgradePodFailed UpgradePodFailed | 30.27 Upgrading/UpgradePod | 32.16 Running`,
    'box-2': `4.21 Creating | 5.48 Running | 7.31 Upgrading/UpgradePod | 9.35 Upgrading/UpgradePod ImagePull
      | 9.36 Upgrading/UpgradePodFailed UpgradePodFailed
      | 9.40 Upgrading/UpgradePodFailed UpgradePodFailed +OrphanedUpgrade | 30.25 Upgrading/UpgradePodFailed UpgradePodFailed
      | 30.30 Upgrading/UpgradePod | 32.19 Running`,
    'up-bad': '7.10 - | 7.21 Updating | 9.40 Failed OperationFailures | 27.74 Terminating',
    'up-good': '30.21 - | 30.28 Updating | 32.25 Completed',
  },
  // No patch, and a healthy target: nothing will ever change in it. The policy stays when the update is deleted.
  'update-lifecycle-only': {
    'box-1': '1.76 Creating | 2.90 Running | 24.24 Running +LeftoverPolicy',
    'up-1': '4.05 - | 4.11 Updating | 4.11 Updating OperationNeverEnds | 24.26 Terminating',
  },
  'update-of-template-ref-sandbox': {
    ref: '5.04 Creating | 6.18 Running | 22.72 Running +LeftoverPolicy',
    'up-1': '7.58 - | 7.61 Updating | 7.63 Updating OperationNeverEnds | 22.70 Terminating',
  },
  'update-patch-invalid': {
    'box-1': '3.80 Creating | 4.98 Running',
    'up-object': '6.23 - | 6.25 Updating | 6.25 Updating OperationPatchFails | 18.41 Terminating',
    'up-string': '21.95 - | 21.97 Updating | 21.97 Updating OperationPatchFails | 32.07 Terminating',
  },
  'update-post-upgrade-hook-fails': {
    'box-1': `1.76 Creating | 2.86 Running | 4.36 Upgrading/UpgradePod
      | 6.26 Upgrading/PostUpgradeFailed HookFailed
      | 6.39 Upgrading/PostUpgradeFailed HookFailed +OrphanedUpgrade | 18.91 Upgrading/PostUpgradeFailed HookFailed | 18.93 Running`,
    'box-2': `1.95 Creating | 3.07 Running | 4.38 Upgrading/UpgradePod
      | 6.42 Upgrading/PostUpgradeFailed HookFailed
      | 6.42 Upgrading/PostUpgradeFailed HookFailed +OrphanedUpgrade | 18.93 Upgrading/PostUpgradeFailed HookFailed | 18.97 Running`,
    'up-1': '4.28 - | 4.33 Updating | 6.39 Failed OperationFailures | 16.61 Terminating',
    'up-2': '18.88 - | 18.95 Updating | 19.02 Completed',
  },
  'update-pre-upgrade-hook-fails': {
    'box-1': `3.95 Creating | 5.23 Running | 7.19 Upgrading/PreUpgradeFailed HookFailed
      | 7.41 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade | 19.94 Upgrading/PreUpgradeFailed HookFailed
      | 20.02 Upgrading/UpgradePod | 21.86 Running`,
    'box-2': `4.38 Creating | 5.67 Running | 7.15 Upgrading/PreUpgradeFailed HookFailed
      | 7.41 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade | 19.96 Upgrading/PreUpgradeFailed HookFailed
      | 20.05 Upgrading/UpgradePod | 21.95 Running`,
    'up-1': '7.08 - | 7.08 Updating | 7.41 Failed OperationFailures | 17.53 Terminating',
    'up-2': '19.91 - | 20.00 Updating | 21.93 Completed',
  },
  // Deleted at 12.5 and created again as it was: it fails by the failure that is already there.
  'update-retry-identical': {
    'box-1': `1.80 Creating | 3.07 Running | 6.12 Upgrading/PreUpgradeFailed HookFailed
      | 6.32 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade | 16.03 Upgrading/PreUpgradeFailed HookFailed
      | 16.11 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade`,
    'box-2': `2.07 Creating | 3.26 Running | 6.16 Upgrading/PreUpgradeFailed HookFailed
      | 6.32 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade | 16.06 Upgrading/PreUpgradeFailed HookFailed
      | 16.11 Upgrading/PreUpgradeFailed HookFailed +OrphanedUpgrade`,
    'up-1': `6.09 - | 6.24 Updating | 6.32 Failed OperationFailures | 12.43 Terminating | 16.00 - | 16.06 Updating
      | 16.11 Failed OperationRetryFailed +OperationFailures`,
  },
};
