import type { SandboxRow } from '@/lib/contracts/rows';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import type { UpgradeView } from './view';

/** How a deadlock ends, the safest first. */
export type WayOut =
  /** `stands`: so many more failures until it stops again. */
  | { kind: 'raiseLimit'; to: number; stands: number }
  /** A failed one that succeeds gives its slot back. */
  | { kind: 'fixFailed'; failed: number }
  /** Those that wait are never upgraded by it; the namespace is free for another. */
  | { kind: 'endOperation'; waiting: number }
  /** Those that were changed get back what they had, by another operation. */
  | { kind: 'rollBack'; changed: number };

/** Only a deadlock has ways out; the limit is raised so that as many as before work at once. */
export function waysOut(view: UpgradeView): WayOut[] {
  if (view.phase !== 'Deadlocked') return [];
  const to = Math.min(view.total, view.failed + view.limit);
  return [
    { kind: 'raiseLimit', to, stands: to - view.failed },
    { kind: 'fixFailed', failed: view.failed },
    { kind: 'endOperation', waiting: view.waiting },
    { kind: 'rollBack', changed: view.updated + view.failed },
  ];
}

/** What becomes of the sandboxes of an operation that is deleted (domain 6.6, recorded `update-deleted-midway`). */
export interface DeletionConsequences {
  /** Done: only the label goes. */
  finished: ChosenSandbox[];
  /** Run on to the end; the upgrade policy stays on them (T56). */
  inFlight: ChosenSandbox[];
  /** Being woken: they wait where they are, then go back without having been changed (T2, T47). */
  resuming: ChosenSandbox[];
  /** Woken and not changed yet: they go back to Paused with the old template (T47). */
  resumed: ChosenSandbox[];
  /** Stay failed in Upgrading until another operation takes them up; label and policy stay (T13). */
  failed: ChosenSandbox[];
  /** Adopted without having begun: the upgrade policy stays on them (T56). */
  touched: ChosenSandbox[];
}

export function deletionConsequences(sandboxes: UpgradeView['sandboxes']): DeletionConsequences {
  const found: DeletionConsequences = {
    finished: [],
    inFlight: [],
    resuming: [],
    resumed: [],
    failed: [],
    touched: [],
  };
  for (const { row, stage, failed } of sandboxes)
    found[fateOf(row, stage, failed)].push({ uid: row.uid, name: row.name });
  return found;
}

function fateOf(row: SandboxRow, stage: string | undefined, failed: boolean): keyof DeletionConsequences {
  if (failed) return 'failed';
  if (stage === 'Done') return 'finished';
  if (row.stage === 'ResumeSucceed') return 'resumed';
  if (stage === 'Resuming' || row.state === 'Paused') return 'resuming';
  // A hook that runs is not written yet: the generation is ahead of what was observed.
  return row.state === 'Upgrading' || row.gen !== row.obs ? 'inFlight' : 'touched';
}
