import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradeRecord } from '@/lib/contracts/upgrade-history';
import { sandboxStage } from './stages';

/** What the console has recorded of one operation and one sandbox. */
export interface PastUpgrade {
  record?: UpgradeRecord | undefined;
  pods: { after?: object | undefined };
}

/**
 * Whether an earlier operation replaced the Pod of a sandbox without coming to its end: what preUpgrade saves went with the
 * Pod before, and was saved then. After one that was done, the Pod is the session's own. What was not seen decides nothing.
 * @param earlier of one sandbox, the latest first
 */
export function wasRebuilt(earlier: readonly PastUpgrade[]): boolean {
  for (const { record, pods } of earlier) {
    if (!record) return false;
    const { stage, failed } = sandboxStage(record.row);
    const isKnown = failed || record.left?.seen === true;
    if (stage === 'Done' || !isKnown) return false;
    if (stage === 'UpgradePod' || stage === 'PostUpgrade' || pods.after) return true;
  }
  return false;
}

/** Failed before its Pod was touched by this operation. */
export const failedFirst = ({ stage }: Pick<SandboxRow, 'stage'>): boolean => stage === 'PreUpgradeFailed';
