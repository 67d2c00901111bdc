import type { CauseCode, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import { groupBy } from '../group-by';
import type { UpgradeStage } from './stages';
import type { UpgradeView } from './view';

/** Sandboxes that failed, or are held up, in the same way. */
export interface FailureGroup {
  key: string;
  stage: UpgradeStage;
  /** Failed for the controller: takes a slot until it succeeds. Else it waits for something that may never come. */
  failed: boolean;
  /** Reason of the Upgrading condition. */
  reason: string;
  /** What holds up those that did not fail. */
  cause?: CauseCode;
  /** The condition's message, or the evidence. */
  message?: string;
  /** The old Pod is gone: what preUpgrade saves can no longer be saved. */
  rebuilt: boolean;
  sandboxes: ChosenSandbox[];
}

/** Causes by which an upgrade hangs without the controller counting it as failed (T2, T9, T10). */
const holdingCauses: readonly CauseCode[] = [
  'InitImageMismatch',
  'PodCreateFailed',
  'Unschedulable',
  'ImagePull',
  'CrashLoop',
  'StartContainerFailed',
  'CheckpointPending',
];

/**
 * The largest group first, failed ones before those that are held up. `rebuilt` names sandboxes whose Pod was seen to be
 * replaced by an earlier operation.
 */
export function failureGroups(
  op: Pick<UpgradeRow, 'paused'>,
  sandboxes: UpgradeView['sandboxes'],
  rebuilt: ReadonlySet<string> = new Set(),
): FailureGroup[] {
  const troubled = sandboxes.flatMap(({ row, stage, failed }) => {
    const cause = failed ? undefined : holderOf(op, row);
    if (stage === undefined || (!failed && cause === undefined)) return [];
    const after = stage === 'UpgradePod' || stage === 'PostUpgrade' || rebuilt.has(row.uid);
    return [{ row, stage, failed, cause, message: row.cause?.detail ?? row.message, rebuilt: after }];
  });
  const groups = groupBy(troubled, ({ row, cause, message, rebuilt: after }) =>
    [row.stage, cause, after, failed(row) && message !== undefined ? alike(message) : undefined].join('\n'),
  );
  return [...groups]
    .map(([key, members]): FailureGroup => {
      const [first] = members;
      const group: FailureGroup = {
        key,
        stage: first?.stage ?? 'UpgradePod',
        failed: first?.failed ?? false,
        reason: first?.row.stage ?? '',
        rebuilt: first?.rebuilt ?? false,
        sandboxes: members.map(({ row: { uid, name } }) => ({ uid, name })),
      };
      if (first?.cause !== undefined) group.cause = first.cause;
      if (first?.message !== undefined) group.message = first.message;
      return group;
    })
    .sort((a, b) => Number(b.failed) - Number(a.failed) || b.sandboxes.length - a.sandboxes.length);
}

/** A hook says the same on all; what holds a Pod names its node, so there the cause alone makes the group. */
const failed = ({ stage }: SandboxRow): boolean => stage?.endsWith('Failed') ?? false;

const pullReasons: readonly string[] = ['ErrImagePull', 'ImagePullBackOff'];
const crashReasons: readonly string[] = ['CrashLoopBackOff', 'Error', 'RunContainerError'];

/** What a message is the same as: kubelets tell a container's trouble in turns, as the failure and as the wait after it. */
function alike(message: string): string {
  const [, container, reason = ''] = /^container (\S+): (\w+)/.exec(message) ?? [];
  if (pullReasons.includes(reason)) return `${container}: pull`;
  return crashReasons.includes(reason) ? `${container}: crash` : message;
}

function holderOf(op: Pick<UpgradeRow, 'paused'>, { stage, cause }: SandboxRow): CauseCode | undefined {
  // Resumed with its old template, and the operation that has the new one is paused (T47).
  if (stage === 'ResumeSucceed') return op.paused ? 'WaitingForPatch' : undefined;
  return holdingCauses.find((code) => code === cause?.code);
}
