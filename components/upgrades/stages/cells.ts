import type { UpgradeRow } from '@/lib/contracts/rows';
import { type StageCell, stageCells, type UpgradeStage, upgradeStages } from '@/lib/domain/upgrades/stages';
import type { StageRow } from './stage-rows';

const unreached = Object.fromEntries(upgradeStages.map((stage) => [stage, 'not-reached'])) as Record<
  UpgradeStage,
  StageCell
>;

/** The cells of one sandbox. That one was resumed first, only its steps tell afterwards. */
export function cellsOf(
  op: Pick<UpgradeRow, 'hooks' | 'strategy' | 'hasPatch'>,
  entry: StageRow,
): Record<UpgradeStage, StageCell> {
  if (entry.waits) return unreached;
  const cells = stageCells(op, entry);
  if (entry.times.Resuming && cells.Resuming === 'skipped') return { ...cells, Resuming: 'passed' };
  return cells;
}

/** Which stages this operation can have at all. */
export function stagesOf(op: Pick<UpgradeRow, 'hooks' | 'strategy' | 'states'>): UpgradeStage[] {
  const never: Partial<Record<UpgradeStage, boolean>> = {
    Resuming: !(op.states?.includes('Paused') ?? false),
    PreUpgrade: !op.hooks?.includes('preUpgrade'),
    Checkpoint: op.strategy !== 'CheckpointRestore',
    PostUpgrade: !op.hooks?.includes('postUpgrade'),
  };
  return upgradeStages.filter((stage) => !never[stage]);
}
