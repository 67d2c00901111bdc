import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { UpgradeHistoryReply, UpgradeLeave } from '@/lib/contracts/upgrade-history';
import type { UpgradeMembersReply } from '@/lib/contracts/upgrade-members';
import { joinSteps, type StageTimes, stageTimes } from '@/lib/domain/upgrades/stage-times';
import { type SandboxStage, sandboxStage } from '@/lib/domain/upgrades/stages';

/** A sandbox of the stage matrix: adopted, waiting to be, or known from the console's record. */
export interface StageRow extends SandboxStage {
  row: SandboxRow;
  waits: boolean;
  times: StageTimes;
  /** It is not with the operation any more; `row` is how it was last seen with it. */
  left?: UpgradeLeave;
}

/** Rows are immutable: what was made of one holds until the stream brings another, and the table draws only that again. */
const adopted = new WeakMap<SandboxRow, { earlier: Steps; made: StageRow }>();
const waiting = new WeakMap<SandboxRow, StageRow>();
const recorded = new WeakMap<UpgradeRecord, StageRow>();

type Operation = Pick<UpgradeRow, 'name' | 'hooks'>;
type Steps = SandboxRow['steps'];
type UpgradeRecord = UpgradeHistoryReply['records'][number];

function adoptedRow(op: Operation, row: SandboxRow, earlier: Steps): StageRow {
  const known = adopted.get(row);
  if (known && known.earlier === earlier) return known.made;
  const steps = earlier ? joinSteps(earlier, row.steps) : row.steps;
  const made = { row, waits: false, ...sandboxStage(row, op), times: stageTimes(steps) };
  adopted.set(row, { earlier, made });
  return made;
}

function recordedRow(record: UpgradeRecord): StageRow {
  const known = recorded.get(record);
  if (known) return known;
  const { row, left } = record;
  const made = { row, left, waits: false, ...sandboxStage(row), times: stageTimes(row.steps) };
  recorded.set(record, made);
  return made;
}

function waitingRow(row: SandboxRow): StageRow {
  const known = waiting.get(row);
  if (known) return known;
  const made = { row, waits: true, failed: false, times: {} };
  waiting.set(row, made);
  return made;
}

/**
 * The matrix of an operation: the adopted ones, those that were waiting when they were last asked for and have not been
 * adopted since, and those that the console remembers.
 */
export function stageRows(
  op: Operation,
  adoptedOnes: readonly { row: SandboxRow }[],
  members: Pick<UpgradeMembersReply, 'waiting'> | undefined,
  past: Pick<UpgradeHistoryReply, 'records' | 'steps'> | undefined,
  sandboxes: ReadonlyMap<string, SandboxRow>,
): StageRow[] {
  const rows = adoptedOnes.map(({ row }) => adoptedRow(op, row, past?.steps[row.uid]));
  const uids = new Set(adoptedOnes.map(({ row }) => row.uid));
  for (const record of past?.records ?? []) if (!uids.has(record.row.uid)) rows.push(recordedRow(record));
  for (const { uid } of members?.waiting ?? []) {
    const row = sandboxes.get(uid);
    if (row && row.op !== op.name) rows.push(waitingRow(row));
  }
  return rows;
}

export const shows = ['all', 'failed', 'running', 'waiting', 'done'] as const;
export type Show = (typeof shows)[number];

export const passes: Record<Show, (row: StageRow) => boolean> = {
  all: () => true,
  failed: ({ failed }) => failed,
  running: ({ failed, stage, waits, left }) => !failed && !waits && !left && stage !== 'Done',
  waiting: ({ waits }) => waits,
  done: ({ stage }) => stage === 'Done',
};

/** What a sandbox says of its upgrade. When it is done, or nothing is written yet, what it says is of something else. */
export const saidBy = ({ row, waits, stage, unwritten }: StageRow): string | undefined =>
  waits || unwritten || stage === 'Done' ? undefined : (row.cause?.detail ?? row.message);
