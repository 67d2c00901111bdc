import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import type { StepCode } from '@/lib/domain/diagnosis/steps';

/** Of one object at one second of a recording. */
export interface Moment {
  recording: string;
  at: number;
  name: string;
  state: string;
  stage?: string;
  /** Second of the recording at which the state began. */
  since?: number;
  /** Of the cause, or of a hint; absent: nothing holds it up. */
  code?: FindingCode;
  never?: true;
  /** Offered first. */
  first?: StepCode;
  useless?: readonly StepCode[];
}

type Rest = Omit<Moment, 'recording' | 'at' | 'name' | 'state'>;

const of =
  (recording: string) =>
  (at: number, name: string, state: string, rest: Rest = {}): Moment => ({ recording, at, name, state, ...rest });

const stuck = of('resume-stuck-digest-init-container');
const update = of('paused-update-stuck-digest');
const starts = of('sandbox-start-failures');
const lost = of('sandbox-pod-deleted');
const deadlock = of('update-deadlock-failures');
const race = of('second-update-race');
const down = of('controller-down');
const stop = of('pause-resume-stop');

const neverConverges: Rest = {
  code: 'InitImageMismatch',
  never: true,
  first: 'RetagThenReplacePod',
  useless: ['DeletePod', 'PauseAgain', 'NewTemplateAlone', 'Wait'],
};

export const moments: readonly Moment[] = [
  // Two sandboxes paused and resumed; one is pinned by digest. Three attempts to free it, the last one does.
  stuck(7, 'pinned', 'Running', { code: 'WouldStrand', first: 'RetagThenReplacePod' }),
  stuck(7, 'tagged', 'Running'),
  stuck(9.5, 'pinned', 'Paused', { since: 8.6 }),
  stuck(12.9, 'pinned', 'Resuming', { since: 10.2, ...neverConverges }),
  stuck(12.9, 'tagged', 'Running', { since: 12 }),
  stuck(100, 'pinned', 'Resuming', { since: 10.2, ...neverConverges }),
  // Its Pod was deleted at 107.4: an identical one is made.
  stuck(107.9, 'pinned', 'Resuming', { since: 10.2, code: 'OldPodTerminating' }),
  stuck(115, 'pinned', 'Resuming', { since: 10.2, ...neverConverges }),
  // Paused again, un-paused, and given a new template without a new Pod.
  stuck(125, 'pinned', 'Resuming', { since: 10.2, ...neverConverges }),
  stuck(128, 'pinned', 'Resuming', { since: 10.2, ...neverConverges }),
  stuck(137, 'pinned', 'Resuming', { since: 10.2, ...neverConverges }),
  // The new template and a Pod from it.
  stuck(142, 'pinned', 'Running', { since: 141.3 }),

  update(5.8, 'pinned', 'Paused', { since: 5 }),
  update(10, 'pinned', 'Upgrading', { since: 6.1, ...neverConverges, stage: 'Resuming' }),
  update(10, 'pinned', 'Upgrading', { stage: 'Resuming', code: 'InitImageMismatch', useless: ['DeleteOperation'] }),
  update(45, 'pinned', 'Upgrading', { since: 6.1, ...neverConverges, stage: 'Resuming' }),
  update(45, 'pinned', 'Upgrading', { stage: 'Resuming', code: 'OrphanedUpgrade' }),

  starts(15, 'nopull', 'Creating', { since: 1.6, code: 'ImagePull', first: 'FixImage', useless: ['DeletePod'] }),
  starts(15, 'crash', 'NotReady', { code: 'CrashLoop', first: 'ReadLogs' }),
  starts(15, 'noref', 'Creating', { since: 2.1, code: 'TemplateMissing', first: 'CreateTemplate' }),
  starts(15, 'nosched', 'Creating', { since: 2.1, code: 'Unschedulable', first: 'FixScheduling' }),
  starts(15, 'noruntime', 'Creating', { since: 2.4, code: 'RuntimeTemplateMissing', first: 'AddInjectionTemplate' }),

  // Failed once the Pod is gone, 0.7 s after the mark; a pool makes another one, nobody does for the others.
  lost(8.4, 'solo', 'Running', { code: 'PodDeleted', first: 'MoveSession' }),
  lost(20, 'solo', 'Failed', { since: 8.7, code: 'PodNotFound', first: 'NewSandbox', useless: ['PauseAgain'] }),
  lost(50, 'solo', 'Failed', { since: 8.7, code: 'NotCleanedUp', first: 'DeleteSandbox', useless: ['ExtendShutdown'] }),
  lost(11.5, 'web-fn9hh', 'Running', { code: 'PodDeleted', first: 'MoveSession' }),
  lost(14.7, 'web-5bjww', 'Available', { code: 'PodDeleted', first: 'Wait' }),

  of('pod-create-failed-quota')(15, 'web-5sz9t', 'Creating', {
    since: 4,
    code: 'PodCreateFailed',
    first: 'RaiseQuota',
  }),
  of('pod-create-failed-quota')(28, 'web-5sz9t', 'Available'),
  of('pool-crashing')(6, 'web-m8bwk', 'NotReady', { code: 'CrashLoop', first: 'ReadLogs' }),
  of('pool-name-too-long')(10, 'w'.repeat(64), '0/2', { code: 'PoolNameTooLong', first: 'RenamePool' }),
  of('pool-without-template')(7, 'empty', '0/1', { code: 'PoolNoTemplate', first: 'WriteTemplateInline' }),
  of('pool-without-template')(7, 'noref', '0/1', { code: 'PoolTemplateMissing', first: 'CreateTemplate' }),
  of('pool-without-template')(7, 'empty-box', 'Creating', { since: 5, code: 'NoTemplate', first: 'AddTemplate' }),

  of('rollout-maxunavailable-zero')(15, 'web', '3/3', {
    code: 'PoolRolloutBlocked',
    first: 'RaiseBudget',
    useless: ['Wait'],
  }),
  of('rollout-maxunavailable-zero')(25, 'web', '3/3'),
  of('rollout-stuck-bad-image')(40, 'web', '3/4', {
    code: 'PoolRolloutStarved',
    first: 'RestoreTemplate',
    useless: ['RaiseBudget'],
  }),
  // The repair of a rollout takes its budget once more: 2 of 4 with a budget of 1.
  of('rollout-stuck-bad-image')(46.4, 'web', '2/4', { code: 'PoolBelowBudget' }),
  of('rollout-maxunavailable-2')(10.6, 'web', '1/5', { code: 'PoolBelowBudget' }),
  of('template-ref-pool')(20, 'web', '3/3', { code: 'PoolTemplateNotRolled', first: 'TouchPool', useless: ['Wait'] }),
  of('template-ref-pool')(45, 'web', '3/3'),
  of('template-ref-pool')(70, 'web', '4/5', { code: 'PoolTemplateMissing', first: 'CreateTemplate' }),
  of('recycle')(26.9, 'web', '3/2', { code: 'PoolSurplus', first: 'WaitForEvent' }),
  of('recycle')(20, 'web-js6c9', 'Available', { since: 16.6, code: 'NotReset' }),
  of('locked-pool-member')(10, 'web-8f2k5', 'Available', { since: 4.1, code: 'Locked', first: 'RemoveLock' }),
  of('locked-pool-member')(25, 'web-8f2k5', 'Available', { since: 4.1, code: 'Locked', first: 'RemoveLock' }),

  of('claim-timeout-partial')(30, 'lost', 'Completed', {
    code: 'ClaimPoolMissing',
    first: 'CreatePool',
    useless: ['Wait'],
  }),
  of('claim-timeout-partial')(40, 'big', 'Completed', { code: 'ClaimTimedOut', first: 'FillPool' }),
  // Success was reported for a sandbox that had been deleted 37 ms before.
  of('claim-runtime-init-fails')(10, 'bad', 'Completed', { code: 'ClaimCountsGone', first: 'ReclaimLater' }),

  of('checkpoint-restore-without-controller')(30, 'box-1', 'Upgrading', {
    stage: 'Checkpointing',
    since: 6,
    code: 'CheckpointPending',
    first: 'InstallCheckpoints',
  }),
  deadlock(20, 'box-1', 'Upgrading', {
    stage: 'UpgradePodFailed',
    code: 'UpgradePodFailed',
    first: 'FixWithOperation',
  }),
  deadlock(20, 'up-1', 'Updating', { code: 'OperationDeadlocked', first: 'RaiseLimit', useless: ['Wait'] }),
  deadlock(40, 'up-1', 'Updating', { code: 'OperationDeadlocked', first: 'RaiseLimit' }),
  deadlock(50, 'up-1', 'Failed', { code: 'OperationFailures', first: 'FixWithOperation' }),
  of('update-fails-bad-image')(20, 'up-bad', 'Failed', { code: 'OperationFailures' }),
  of('update-pre-upgrade-hook-fails')(12, 'box-1', 'Upgrading', {
    stage: 'PreUpgradeFailed',
    code: 'HookFailed',
    first: 'ReadHookOutput',
  }),
  of('update-post-upgrade-hook-fails')(12, 'box-2', 'Upgrading', {
    stage: 'PostUpgradeFailed',
    code: 'HookFailed',
    first: 'ReadHookOutput',
  }),
  of('hook-timeout-and-unreachable')(15, 'box-1', 'Upgrading', { stage: 'PreUpgradeFailed', code: 'HookFailed' }),
  of('update-retry-identical')(18, 'up-1', 'Failed', {
    code: 'OperationRetryFailed',
    first: 'RetryOperation',
    useless: ['Wait'],
  }),
  of('update-lifecycle-only')(20, 'up-1', 'Updating', {
    code: 'OperationNeverEnds',
    first: 'DeleteOperation',
    useless: ['Wait'],
  }),
  of('update-lifecycle-only')(26, 'box-1', 'Running', { code: 'LeftoverPolicy', first: 'RemovePolicy' }),
  of('update-of-template-ref-sandbox')(20, 'up-1', 'Updating', {
    code: 'OperationNeverEnds',
    first: 'DeleteOperation',
  }),
  of('update-patch-invalid')(15, 'up-object', 'Updating', { code: 'OperationPatchFails', first: 'DeleteOperation' }),
  of('update-patch-invalid')(28, 'up-string', 'Updating', { code: 'OperationPatchFails', first: 'DeleteOperation' }),
  of('update-deleted-midway')(17, 'box-2', 'Running', { code: 'LeftoverPolicy', first: 'RemovePolicy' }),
  of('leftover-upgrade-policy')(11, 'box-1', 'Running', { code: 'LeftoverPolicy', first: 'RemovePolicy' }),
  of('update-ignores-pool-members')(11.2, 'up-1', 'Updating', { code: 'OperationLeftOut' }),
  of('unpause-during-paused-update')(18, 'box-1', 'Running', { code: 'LeftoverFinalizer' }),

  // Six at once: one works, five wait, and go on waiting after it is done, until an edit.
  race(12, 'up-2', '', { code: 'OperationWaits', first: 'WaitForOperation' }),
  race(32, 'up-2', '', { code: 'OperationNotTaken', first: 'TouchOperation', useless: ['Wait'] }),
  race(34, 'up-2', 'Completed'),
  race(34, 'up-5', '', { code: 'OperationNotTaken', first: 'TouchOperation' }),

  // No controller from 4.3 to 19.7: a pause is asked for, a Pod deleted, and nothing follows.
  down(15, 'solo', 'Pausing', { since: 7.5, code: 'ControllerLag' }),
  down(15, 'web-h4pkb', 'Available', { code: 'PodMissing' }),
  down(24, 'solo', 'Paused', { since: 20.9 }),

  of('pause-resume-hibernate')(6, 'solo', 'Paused', { since: 4.8, code: 'PauseLosesMore', first: 'KeepOutside' }),
  stop(12, 'solo', 'Paused', { since: 9.2 }),
  stop(15.3, 'solo', 'Resuming', { since: 14.6, code: 'ContainersStarting', first: 'Wait' }),
  stop(18, 'solo', 'Running', { since: 16 }),
  stop(20.5, 'solo', 'Paused', { since: 19.8 }),
];
