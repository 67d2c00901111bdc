import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';

/** Columns of the stage matrix. */
export const upgradeStages = ['Resuming', 'PreUpgrade', 'Checkpoint', 'UpgradePod', 'PostUpgrade', 'Done'] as const;
export type UpgradeStage = (typeof upgradeStages)[number];

export interface SandboxStage {
  /** Absent: adopted, and no stage is written or known yet. */
  stage?: UpgradeStage;
  failed: boolean;
  /** What it does now is written nowhere: its condition is of before, and a hook may be running (domain 4.6). */
  unwritten?: true;
}

const stageOfReason: Record<string, UpgradeStage | undefined> = {
  Resuming: 'Resuming',
  ResumeSucceed: 'Resuming',
  PreUpgrade: 'PreUpgrade',
  PreUpgradeFailed: 'PreUpgrade',
  Checkpointing: 'Checkpoint',
  CheckpointFailed: 'Checkpoint',
  UpgradePod: 'UpgradePod',
  UpgradePodFailed: 'UpgradePod',
  PostUpgrade: 'PostUpgrade',
  PostUpgradeFailed: 'PostUpgrade',
  Succeeded: 'Done',
};

/** The stage that a reason of the Upgrading condition stands for; undefined for one that this console does not know. */
export function stageOf(reason: string): UpgradeStage | undefined {
  return Object.hasOwn(stageOfReason, reason) ? stageOfReason[reason] : undefined;
}

/**
 * Where a sandbox is, as the controller sees it: a generation that was not observed yet is "updating", whatever the condition
 * says of the operation before (domain 6.2).
 * @param op the operation it is with; without it, a first hook that runs is no stage
 */
export function sandboxStage(row: SandboxRow, op?: Pick<UpgradeRow, 'hooks'>): SandboxStage {
  const isObserved = row.gen === row.obs;
  if (row.state === 'Upgrading') {
    const stage = row.stage === undefined ? undefined : stageOf(row.stage);
    const reached = stage === undefined ? {} : { stage };
    if (!isObserved) return { ...reached, failed: false, unwritten: true };
    return { ...reached, failed: row.stage?.endsWith('Failed') ?? false };
  }
  // Success takes the policy away, and adoption brings it: without one, what changed the spec since is somebody's pause.
  if (row.upgraded && (isObserved || row.policy === undefined)) return { stage: 'Done', failed: false };
  const runsHook =
    !isObserved && row.phase === 'Running' && row.policy !== undefined && op?.hooks?.includes('preUpgrade');
  return runsHook ? { stage: 'PreUpgrade', failed: false, unwritten: true } : { failed: false };
}

export interface SandboxCounts {
  updated: number;
  updating: number;
  failed: number;
}

/**
 * As the controller counts adopted sandboxes (domain 6.2). What it counts nowhere can be seen from the template alone, which
 * no row has: an adopted one that already is as the patch makes it is counted as updating here.
 */
export function countSandboxes(
  sandboxes: readonly { row: SandboxRow; stage?: UpgradeStage; failed: boolean }[],
): SandboxCounts {
  const counts: SandboxCounts = { updated: 0, updating: 0, failed: 0 };
  for (const { row, stage, failed } of sandboxes) {
    if (row.deleting !== undefined || row.phase === 'Failed' || row.phase === 'Succeeded') continue;
    // A generation ahead of what was observed comes first: it has just been adopted, or let go.
    if (row.gen !== row.obs) counts.updating++;
    else if (stage === 'Done') counts.updated++;
    else if (failed) counts.failed++;
    else counts.updating++;
  }
  return counts;
}

/** What a cell of the stage matrix shows. `skipped`: this operation has no such stage for this sandbox. */
export type StageCell = 'not-reached' | 'running' | 'passed' | 'failed' | 'skipped';

/**
 * One row of the stage matrix. Which stages a sandbox went through before the one it is in follows from the
 * operation: hooks that are not set and checkpoints of a Recreate upgrade never run (domain 4.6).
 */
export function stageCells(
  op: Pick<UpgradeRow, 'hooks' | 'strategy' | 'hasPatch'>,
  { stage, failed }: SandboxStage,
): Record<UpgradeStage, StageCell> {
  const at = stage === undefined ? -1 : upgradeStages.indexOf(stage);
  const cell = (column: UpgradeStage, index: number): StageCell => {
    if (index === at) return failed ? 'failed' : column === 'Done' ? 'passed' : 'running';
    if (column === 'PreUpgrade' && !op.hooks?.includes('preUpgrade')) return 'skipped';
    if (column === 'PostUpgrade' && !op.hooks?.includes('postUpgrade')) return 'skipped';
    if (column === 'Checkpoint' && op.strategy !== 'CheckpointRestore') return 'skipped';
    // Without a patch the template stays, and with it the Pod.
    if (column === 'UpgradePod' && !op.hasPatch) return 'skipped';
    // Only sandboxes that were paused resume first, and nothing says so afterwards.
    if (column === 'Resuming') return 'skipped';
    return index < at ? 'passed' : 'not-reached';
  };
  return Object.fromEntries(upgradeStages.map((column, index) => [column, cell(column, index)])) as Record<
    UpgradeStage,
    StageCell
  >;
}
