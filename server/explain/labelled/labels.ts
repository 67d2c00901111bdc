import type { FindingCode } from '@/lib/domain/diagnosis/codes';

/** What has to be said first about one of the objects of a trap scenario. */
export interface Label {
  /** Begin of its name. */
  about: string;
  /** Its cause, or, where nothing is held up, its first hint. */
  code: FindingCode;
  /** Seconds that nothing has changed for when it is judged. */
  after?: number;
  /** What else has to be told of it. */
  with?: readonly FindingCode[];
  /** What follows from it in other objects, or stands beside it; anything else is a false alarm. */
  also?: readonly FindingCode[];
}

const dead: readonly FindingCode[] = ['ReadyThoughDead', 'NotCleanedUp'];
const failedUpgrade: readonly FindingCode[] = ['OperationFailures', 'OrphanedUpgrade'];

/** By trap scenario; written from what each of them does. */
export const labels: Readonly<Record<string, Label>> = {
  'resume-digest': { about: 'pinned', code: 'InitImageMismatch' },
  'resume-digest-in-update': { about: 'pinned', code: 'InitImageMismatch', also: ['OrphanedUpgrade'] },
  'resume-pod-pending': { about: 'asleep', code: 'Unschedulable' },
  'resume-init-fails': { about: 'claimed', code: 'RuntimeInitFailed' },
  'pause-loses-data': { about: 'hibernating', code: 'PauseLosesMore' },
  'resume-waits-for-update': { about: 'half', code: 'OperationPaused' },
  'resume-leaves-finalizer': { about: 'woken', code: 'LeftoverFinalizer' },
  'image-same-digest': { about: 'retagged', code: 'InplaceUpdating', after: 120 },
  'update-race': { about: 'up-', code: 'OperationNotTaken', after: 15 },
  'update-pod-pending': { about: 'box-1', code: 'Unschedulable', after: 660, also: ['OperationQuiet'] },
  'update-delete-hangs': { about: 'up-1', code: 'OperationDeletionWaits', also: ['Unschedulable'] },
  'update-hook-fails': { about: 'box-1', code: 'HookFailed', also: failedUpgrade },
  'update-checkpoint': { about: 'box-1', code: 'CheckpointPending', after: 120, also: ['CheckpointNotTaken'] },
  'update-never-ends': { about: 'up-1', code: 'OperationNeverEnds' },
  'update-leaves-out': { about: 'up-1', code: 'OperationLeftOut' },
  'update-template-ref': { about: 'up-1', code: 'OperationNeverEnds' },
  'edit-ignored': { about: 'edited', code: 'TemplateChangeIgnored' },
  'update-no-runtime': { about: 'bare', code: 'HookFailed', with: ['HookWithoutRuntime'], also: failedUpgrade },
  'update-blocked': { about: 'up-1', code: 'OperationDeadlocked', also: ['UpgradePodFailed'] },
  // Two leftovers of one update: the one that would replace the Pod comes first.
  'update-stale-label': { about: 'box-1', code: 'LeftoverPolicy', with: ['LeftoverFailedLabel'] },
  'update-identical-retry': { about: 'retry', code: 'OperationRetryFailed', also: [...failedUpgrade, 'HookFailed'] },
  'update-leftover-policy': { about: 'box-1', code: 'LeftoverPolicy' },
  'update-bad-patch': { about: 'up-1', code: 'OperationPatchFails' },
  'upgrade-looks-paused': { about: 'box-1', code: 'UpgradePodFailed', also: failedUpgrade },
  'pool-locked-member': { about: 'web-', code: 'Locked', after: 90, also: ['PoolLocked'] },
  'pool-image-pull': { about: 'web-', code: 'ImagePull', after: 120, also: ['PoolShort'] },
  'pool-throttled': { about: 'web', code: 'PoolThrottled', after: 120, also: ['CrashLoop'] },
  'pool-same-name': { about: 'web', code: 'PoolNameTwice' },
  'pool-container-wiped': { about: 'web', code: 'PoolContainerWiped' },
  'pool-name-too-long': { about: 'practice-', code: 'PoolNameTooLong', after: 120, also: ['PoolShort'] },
  'pool-quota': { about: 'web-', code: 'PodCreateFailed', after: 120, also: ['PoolShort'] },
  'pool-no-template': {
    about: 'empty',
    code: 'PoolNoTemplate',
    after: 120,
    also: ['PoolTemplateMissing', 'PoolShort', 'PoolNotSeen'],
  },
  'rollout-never-starts': { about: 'web', code: 'PoolRolloutBlocked' },
  'rollout-of-template-ref': { about: 'web', code: 'PoolTemplateNotRolled' },
  'rollout-race-with-claim': { about: 'web-', code: 'OutdatedClaimed', also: ['PoolRolloutBlocked'] },
  'rollout-changed-twice': { about: 'web', code: 'PoolBelowBudget' },
  'recycle-refused': { about: 'web-', code: 'RecycleFailed', also: ['OutdatedClaimed'] },
  'recycle-one-too-many': { about: 'web', code: 'PoolSurplus', after: 12, also: ['NotReset'] },
  'pod-deleted': { about: 'lost', code: 'PodNotFound', also: dead },
  'drain-blocked': { about: 'busy', code: 'NodeCordoned' },
  'dead-never-cleaned': { about: 'web-', code: 'PodNotFound', with: ['NotCleanedUp'], also: dead },
  'claim-pool-gone': { about: 'job', code: 'ClaimPoolMissing' },
  'pending-without-reason': {
    about: 'no-runtime',
    code: 'RuntimeTemplateMissing',
    after: 15,
    also: ['TemplateMissing'],
  },
  'claim-counts-deleted': { about: 'bad', code: 'ClaimCountsGone' },
  'controllers-lag': { about: 'ignored', code: 'ControllerLag', after: 120, also: ['PoolShort', 'PoolNotSeen'] },
};

/** Scenarios of traps that no rule finds (diagnosis/traps says why): nothing may be raised. */
export const silent: readonly string[] = [
  'pool-token-forced-off',
  'pool-over-capacity',
  'secrets-in-annotations',
  'webhooks-away',
];
