import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradeMembersReply } from '@/lib/contracts/upgrades';
import { type StageTimes, stageTimes } from '@/lib/domain/upgrades/stage-times';
import { type SandboxStage, sandboxStage } from '@/lib/domain/upgrades/stages';

/** A sandbox of the stage matrix: adopted, or waiting to be. */
export interface StageRow extends SandboxStage {
  row: SandboxRow;
  waits: boolean;
  times: StageTimes;
}

/** Rows are immutable: what was made of one holds until the stream brings another, and the table draws only that again. */
const adopted = new WeakMap<SandboxRow, StageRow>();
const waiting = new WeakMap<SandboxRow, StageRow>();

function adoptedRow(row: SandboxRow): StageRow {
  const known = adopted.get(row);
  if (known) return known;
  const made = { row, waits: false, ...sandboxStage(row), times: stageTimes(row.steps) };
  adopted.set(row, made);
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
 * The matrix of an operation: the adopted ones, and those that were waiting when they were last asked for and have not been
 * adopted since.
 */
export function stageRows(
  op: string,
  adoptedOnes: readonly { row: SandboxRow }[],
  members: Pick<UpgradeMembersReply, 'waiting'> | undefined,
  sandboxes: ReadonlyMap<string, SandboxRow>,
): StageRow[] {
  const rows = adoptedOnes.map(({ row }) => adoptedRow(row));
  for (const { uid } of members?.waiting ?? []) {
    const row = sandboxes.get(uid);
    if (row && row.op !== op) rows.push(waitingRow(row));
  }
  return rows;
}

export const shows = ['all', 'failed', 'running', 'waiting', 'done'] as const;
export type Show = (typeof shows)[number];

export const passes: Record<Show, (row: StageRow) => boolean> = {
  all: () => true,
  failed: ({ failed }) => failed,
  running: ({ failed, stage, waits }) => !failed && !waits && stage !== 'Done',
  waiting: ({ waits }) => waits,
  done: ({ stage }) => stage === 'Done',
};
