import type { FindingCode } from '@/lib/domain/diagnosis/codes';

/**
 * What has to be said of each recording: checked against what was done in it and what the real controllers did, as its steps
 * and the notes made when it was recorded tell.
 */

export type Fires = Readonly<Record<string, readonly FindingCode[]>>;

/** By recording, all faults and hints that any event of it may raise, by object; an object that is not named raises none. */
export const fires: Readonly<Record<string, Fires>> = {
  'checkpoint-restore-without-controller': {},
  'claim-and-refill': {},
  'claim-runtime-init-fails': { bad: ['ClaimCountsGone'], keep: ['ClaimTimedOut'] },
  'claim-timeout-partial': { lost: ['ClaimPoolMissing'], big: ['ClaimTimedOut'] },
  'claim-ttl': {},
  'controller-down': { 'web-h4pkb': ['PodDeleted', 'PodNotFound', 'ReadyThoughDead'] },
  'hook-success': {},
  'hook-timeout-and-unreachable': {
    'box-1': ['HookFailed', 'OrphanedUpgrade'],
    'box-2': ['HookFailed', 'OrphanedUpgrade'],
    'box-3': ['HookFailed', 'OrphanedUpgrade'],
    'up-1': ['OperationFailures'],
    'up-2': ['OperationFailures'],
  },
  'leftover-upgrade-policy': { 'box-1': ['LeftoverPolicy'] },
  'locked-pool-member': {},
  'pause-resume-hibernate': { solo: ['PauseLosesMore'] },
  'pause-resume-stop': {},
  'pause-time': {},
  'pause-while-resuming': {},
  'paused-sandboxes-with-statefilter': {},
  'paused-update-stuck-digest': { pinned: ['WouldStrand', 'InitImageMismatch', 'OrphanedUpgrade'] },
  'pod-create-failed-quota': { 'web-5sz9t': ['PodCreateFailed'] },
  'pool-crashing': { 'web-m8bwk': ['CrashLoop'], 'web-s8bkc': ['CrashLoop'] },
  'pool-create': {},
  'pool-create-18': {},
  'pool-name-too-long': { ['w'.repeat(64)]: ['PoolNameTooLong'] },
  'pool-without-template': {
    empty: ['PoolNoTemplate'],
    noref: ['PoolTemplateMissing'],
    'empty-box': ['NoTemplate'],
  },
  recycle: { 'web-js6c9': ['NotReset'], 'web-kw7k8': ['OutdatedClaimed'], web: ['PoolSurplus'] },
  'resume-stuck-digest-init-container': {
    // Past the limit of Resuming, what is otherwise the normal way to a new Pod is a fault as well.
    pinned: [
      'WouldStrand',
      'InitImageMismatch',
      'OldPodTerminating',
      'PodMissing',
      'ContainersStarting',
      'ControllerLag',
    ],
  },
  'rollout-default-20-percent': {},
  'rollout-maxunavailable-2': { web: ['PoolBelowBudget'] },
  'rollout-maxunavailable-zero': { web: ['PoolRolloutBlocked'] },
  'rollout-stuck-bad-image': { web: ['PoolRolloutStarved', 'PoolBelowBudget'], 'web-rh62n': ['ImagePull'] },
  'sandbox-pod-deleted': {
    solo: ['PodDeleted', 'PodNotFound', 'NotCleanedUp', 'ReadyThoughDead'],
    'web-fn9hh': ['PodDeleted', 'PodNotFound', 'NotCleanedUp', 'ReadyThoughDead'],
    'web-5bjww': ['PodDeleted', 'PodNotFound', 'ReadyThoughDead'],
  },
  'sandbox-start-failures': {
    nopull: ['ImagePull'],
    crash: ['CrashLoop'],
    noref: ['TemplateMissing'],
    nosched: ['Unschedulable'],
    noruntime: ['RuntimeTemplateMissing'],
  },
  'scale-down': {},
  'scale-to-zero-and-noop': {},
  'scale-up-with-maxunavailable': {},
  'second-update-race': Object.fromEntries(
    [2, 3, 4, 5, 6].map((each) => [`up-${each}`, ['OperationNotTaken'] as const]),
  ),
  'second-update-refused': {},
  'shutdown-time': {},
  'template-ref-pool': { web: ['PoolTemplateNotRolled', 'PoolTemplateMissing'] },
  'unpause-during-paused-update': { 'box-1': ['LeftoverFinalizer'] },
  'update-deadlock-failures': {
    'box-1': ['ImagePull', 'UpgradePodFailed', 'OrphanedUpgrade'],
    'box-2': ['ImagePull', 'UpgradePodFailed', 'OrphanedUpgrade'],
    'box-3': ['ImagePull', 'UpgradePodFailed', 'OrphanedUpgrade'],
    'box-4': ['ImagePull', 'UpgradePodFailed', 'OrphanedUpgrade'],
    'up-1': ['OperationDeadlocked', 'OperationFailures'],
  },
  'update-deleted-midway': { 'box-2': ['LeftoverPolicy'] },
  'update-fails-bad-image': {
    'box-1': ['ImagePull', 'UpgradePodFailed', 'OrphanedUpgrade'],
    'box-2': ['ImagePull', 'UpgradePodFailed', 'OrphanedUpgrade'],
    'up-bad': ['OperationFailures'],
  },
  'update-ignores-pool-members': {
    lost: ['PodDeleted', 'PodNotFound', 'NotCleanedUp', 'ReadyThoughDead'],
    'up-1': ['OperationLeftOut'],
  },
  'update-lifecycle-only': { 'up-1': ['OperationNeverEnds'], 'box-1': ['LeftoverPolicy'] },
  'update-maxunavailable-zero': {},
  'update-of-template-ref-sandbox': { 'up-1': ['OperationNeverEnds'], ref: ['LeftoverPolicy'] },
  'update-patch-invalid': { 'up-object': ['OperationPatchFails'], 'up-string': ['OperationPatchFails'] },
  'update-paused-and-continued': {},
  'update-post-upgrade-hook-fails': {
    'box-1': ['HookFailed', 'OrphanedUpgrade'],
    'box-2': ['HookFailed', 'OrphanedUpgrade'],
    'up-1': ['OperationFailures'],
  },
  'update-pre-upgrade-hook-fails': {
    'box-1': ['HookFailed', 'OrphanedUpgrade'],
    'box-2': ['HookFailed', 'OrphanedUpgrade'],
    'up-1': ['OperationFailures'],
  },
  'update-recreate-success': {},
  'update-retry-identical': {
    'box-1': ['HookFailed', 'OrphanedUpgrade'],
    'box-2': ['HookFailed', 'OrphanedUpgrade'],
    // Deleted, and created again under the same name with the same content.
    'up-1': ['OperationFailures', 'OperationRetryFailed'],
  },
  'upgrade-selector-matching-nothing': {},
};
