import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import type { StepCode } from '@/lib/domain/diagnosis/steps';

/** What was tried in a recording: what got things going again has to be offered first, what did not has to be named as useless. */
export interface Way {
  recording: string;
  at: number;
  name: string;
  code: FindingCode;
  first: StepCode;
  useless?: readonly StepCode[];
}

export const ways: readonly Way[] = [
  // Tried in this order: the Pod is deleted (107.4), paused and un-paused (120.3), a new template alone (130.7), and with a new Pod (139).
  ...[60, 110, 125, 137].map((at) => ({
    recording: 'resume-stuck-digest-init-container',
    at,
    name: 'pinned',
    code: 'InitImageMismatch' as const,
    first: 'RetagThenReplacePod' as const,
    useless: ['DeletePod', 'PauseAgain', 'NewTemplateAlone', 'Wait'] as const,
  })),
  // The update is deleted at 41.3, and the sandbox stays where it is.
  {
    recording: 'paused-update-stuck-digest',
    at: 41,
    name: 'pinned',
    code: 'InitImageMismatch',
    first: 'RetagThenReplacePod',
    useless: ['DeleteOperation', 'Wait'],
  },
  // Raised at 29.6 and 44.8: each time it goes on.
  {
    recording: 'update-deadlock-failures',
    at: 28,
    name: 'up-1',
    code: 'OperationDeadlocked',
    first: 'RaiseLimit',
    useless: ['Wait'],
  },
  // Annotated at 32.8: it is taken up at once; the others wait on.
  {
    recording: 'second-update-race',
    at: 32,
    name: 'up-2',
    code: 'OperationNotTaken',
    first: 'TouchOperation',
    useless: ['Wait'],
  },
  // Another update with a working image, a working hook: both sandboxes come through.
  { recording: 'update-fails-bad-image', at: 25, name: 'box-1', code: 'UpgradePodFailed', first: 'FixWithOperation' },
  { recording: 'update-fails-bad-image', at: 25, name: 'up-bad', code: 'OperationFailures', first: 'FixWithOperation' },
  // Deleted at the end of each: nothing else ends them.
  {
    recording: 'update-lifecycle-only',
    at: 23,
    name: 'up-1',
    code: 'OperationNeverEnds',
    first: 'DeleteOperation',
    useless: ['Wait'],
  },
  {
    recording: 'update-of-template-ref-sandbox',
    at: 22,
    name: 'up-1',
    code: 'OperationNeverEnds',
    first: 'DeleteOperation',
    useless: ['Wait'],
  },
  {
    recording: 'update-patch-invalid',
    at: 17,
    name: 'up-object',
    code: 'OperationPatchFails',
    first: 'DeleteOperation',
    useless: ['Wait'],
  },
  // The Checkpoint gets a status at 36, as a controller for it would write.
  {
    recording: 'checkpoint-restore-without-controller',
    at: 35,
    name: 'box-1',
    code: 'CheckpointPending',
    first: 'InstallCheckpoints',
  },
  // The edit at 12.4 replaces the Pod, because the policy was still there.
  { recording: 'leftover-upgrade-policy', at: 12, name: 'box-1', code: 'LeftoverPolicy', first: 'RemovePolicy' },
  // The quota is raised at 24.1.
  { recording: 'pod-create-failed-quota', at: 24, name: 'web-5sz9t', code: 'PodCreateFailed', first: 'RaiseQuota' },
  // The budget is raised at 18.6.
  {
    recording: 'rollout-maxunavailable-zero',
    at: 18,
    name: 'web',
    code: 'PoolRolloutBlocked',
    first: 'RaiseBudget',
    useless: ['Wait'],
  },
  // The image is corrected at 46; forty seconds of waiting had changed nothing.
  {
    recording: 'rollout-stuck-bad-image',
    at: 45,
    name: 'web',
    code: 'PoolRolloutStarved',
    first: 'RestoreTemplate',
    useless: ['Wait'],
  },
  // The pool is touched at 25.6; twenty seconds of waiting had changed nothing.
  {
    recording: 'template-ref-pool',
    at: 25,
    name: 'web',
    code: 'PoolTemplateNotRolled',
    first: 'TouchPool',
    useless: ['Wait'],
  },
  { recording: 'recycle', at: 26.5, name: 'web', code: 'PoolSurplus', first: 'WaitForEvent' },
  // The lock is taken away at 29.5; scaling to zero had ended at one.
  { recording: 'locked-pool-member', at: 29, name: 'web-8f2k5', code: 'Locked', first: 'RemoveLock' },
  // Paused at 22.3, past its shutdownTime at 47: neither does anything. The other one is deleted at 52.5.
  {
    recording: 'sandbox-pod-deleted',
    at: 50,
    name: 'solo',
    code: 'PodNotFound',
    first: 'NewSandbox',
    useless: ['PauseAgain', 'ExtendShutdown'],
  },
  {
    recording: 'sandbox-pod-deleted',
    at: 50,
    name: 'solo',
    code: 'NotCleanedUp',
    first: 'DeleteSandbox',
    useless: ['ExtendShutdown'],
  },
];
