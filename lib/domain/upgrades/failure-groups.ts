import type { CauseCode, UpgradeRow } from '@/lib/contracts/rows';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import { groupBy } from '../group-by';
import { heldUpBy, isRefusedPod } from './held-up';
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
  /** The API server refuses their Pod as the patch makes it: no waiting helps. */
  refused?: true;
  /** The condition's message, or the evidence. */
  message?: string;
  /** The old Pod is gone: what preUpgrade saves can no longer be saved. */
  rebuilt: boolean;
  /** They are not with the operation any more: nothing can be done for them by it. */
  left?: true;
  sandboxes: ChosenSandbox[];
}

/** `left`: how it was last seen with the operation, which it has left since. */
export type Troubled = UpgradeView['sandboxes'][number] & { left?: object };

/**
 * The largest group first, failed ones before those that are held up, and those that have left last. `rebuilt` names
 * sandboxes whose Pod was seen to be replaced before; `now` is the server's clock, epoch ms.
 */
export function failureGroups(
  op: Pick<UpgradeRow, 'paused'>,
  sandboxes: readonly Troubled[],
  now: number,
  rebuilt: ReadonlySet<string> = new Set(),
): FailureGroup[] {
  const troubled = sandboxes.flatMap((one) => {
    const { row, stage, failed, left } = one;
    // What held one up that has left has come to an end that was not its own.
    const cause = left ? undefined : heldUpBy(op, one, now);
    if (stage === undefined || (!failed && cause === undefined)) return [];
    const after = stage === 'UpgradePod' || stage === 'PostUpgrade' || rebuilt.has(row.uid);
    return [
      {
        row,
        stage,
        failed,
        cause,
        refused: isRefusedPod(one),
        message: row.cause?.detail ?? row.message,
        rebuilt: after,
        left: left !== undefined,
      },
    ];
  });
  const groups = groupBy(troubled, ({ row, failed, cause, refused, message, rebuilt: after, left }) =>
    [
      row.stage,
      cause,
      refused || undefined,
      after,
      left || undefined,
      // A hook says the same on all; what holds a Pod names its node, so there the cause alone makes the group.
      failed && message !== undefined ? alike(message) : undefined,
    ].join('\n'),
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
      if (first?.left) group.left = true;
      if (first?.refused) group.refused = true;
      if (first?.cause !== undefined) group.cause = first.cause;
      if (first?.message !== undefined) group.message = first.message;
      return group;
    })
    .sort(
      (a, b) =>
        Number(a.left ?? false) - Number(b.left ?? false) ||
        Number(b.failed) - Number(a.failed) ||
        b.sandboxes.length - a.sandboxes.length,
    );
}

const pullReasons: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName'];
const crashReasons: readonly string[] = ['CrashLoopBackOff', 'Error', 'RunContainerError'];

/** Of a container whose image cannot be had. */
export const isPullFailure = (message: string | undefined): boolean => pullReasons.includes(toldBy(message).reason);

/** What a kubelet says of a container: `container main: ErrImagePull …`. */
function toldBy(message = ''): { container: string; reason: string } {
  const [, container = '', reason = ''] = /^container (\S+): (\w+)/.exec(message) ?? [];
  return { container, reason };
}

/** What a message is the same as: kubelets tell a container's trouble in turns, as the failure and as the wait after it. */
function alike(message: string): string {
  const { container, reason } = toldBy(message);
  if (pullReasons.includes(reason)) return `${container}: pull`;
  return crashReasons.includes(reason) ? `${container}: crash` : message;
}
