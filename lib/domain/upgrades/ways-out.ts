import type { UpgradeRow } from '@/lib/contracts/rows';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import { type FailureGroup, isPullFailure } from './failure-groups';
import { heldUpBy, isRefusedPod } from './held-up';
import type { UpgradeView } from './view';

/** How a deadlock ends, the safest first. */
export type WayOut =
  /** `stands`: so many more failures until it stops again. */
  | { kind: 'raiseLimit'; to: number; stands: number }
  /** A failed one that succeeds gives its slot back. */
  | { kind: 'fixFailed'; failed: number }
  /** Those that wait are never upgraded by it; the namespace is free for another. */
  | { kind: 'endOperation'; waiting: number }
  /** All get back what they had, by another operation; the Pod of the `kept` ones is still the old one, and stays. */
  | { kind: 'rollBack'; changed: number; kept: number };

/**
 * The one group that all failures are in, when more of the same is to be expected of those that wait: the image that the patch
 * brings cannot be pulled, or it went wrong the same way more than once. Undefined too when not all the failed ones are known.
 */
export function commonFailure(view: UpgradeView, groups: readonly FailureGroup[]): FailureGroup | undefined {
  const [first, ...others] = groups.filter(({ failed, refused, left }) => (failed || refused) && !left);
  if (first === undefined || others.length > 0 || first.sandboxes.length < view.failed + view.refused) return undefined;
  return first.sandboxes.length > 1 || first.refused || isPullFailure(first.message) ? first : undefined;
}

/** Only a deadlock has ways out; the limit is raised so that as many as before work at once. */
export function waysOut(view: UpgradeView, groups: readonly FailureGroup[] = []): WayOut[] {
  if (view.phase !== 'Deadlocked') return [];
  const taken = view.failed + view.refused;
  const to = Math.min(view.total, taken + view.limit);
  const kept = groups.filter(
    ({ stage, failed, rebuilt, left }) => stage === 'PreUpgrade' && failed && !rebuilt && !left,
  );
  return [
    { kind: 'raiseLimit', to, stands: to - taken },
    // A Pod that is refused stays refused: nothing outside of the template can help it.
    ...(view.failed > 0 ? [{ kind: 'fixFailed' as const, failed: view.failed }] : []),
    { kind: 'endOperation', waiting: view.waiting },
    {
      kind: 'rollBack',
      changed: view.updated + taken,
      kept: kept.reduce((sum, { sandboxes }) => sum + sandboxes.length, 0),
    },
  ];
}

/** What becomes of the sandboxes of an operation that is deleted (domain 6.6, recorded `update-deleted-midway`). */
export interface DeletionConsequences {
  /** Done: only the label goes. */
  finished: ChosenSandbox[];
  /** Run on to the end; the upgrade policy stays on them (T56). */
  inFlight: ChosenSandbox[];
  /** Their Pod is refused: they stay where they are until another operation takes them up. */
  refused: ChosenSandbox[];
  /** Held up by something that may pass: they go on when it does, and then to the end. */
  heldUp: ChosenSandbox[];
  /** Being woken: they wait where they are, then go back without having been changed (T2, T47). */
  resuming: ChosenSandbox[];
  /** Woken and not changed yet: they go back to Paused with the old template (T47). */
  resumed: ChosenSandbox[];
  /** Stay failed in Upgrading until another operation takes them up; label and policy stay (T13). */
  failed: ChosenSandbox[];
  /** Adopted without having begun: the upgrade policy stays on them (T56). */
  touched: ChosenSandbox[];
}

export function deletionConsequences(
  op: Pick<UpgradeRow, 'paused'>,
  sandboxes: UpgradeView['sandboxes'],
  now: number,
): DeletionConsequences {
  const found: DeletionConsequences = {
    finished: [],
    inFlight: [],
    refused: [],
    heldUp: [],
    resuming: [],
    resumed: [],
    failed: [],
    touched: [],
  };
  for (const one of sandboxes) {
    const { uid, name } = one.row;
    found[isRefusedPod(one) ? 'refused' : fateOf(one, heldUpBy(op, one, now) !== undefined)].push({ uid, name });
  }
  return found;
}

function fateOf(
  { row, stage, failed }: UpgradeView['sandboxes'][number],
  isHeldUp: boolean,
): keyof DeletionConsequences {
  if (failed) return 'failed';
  if (stage === 'Done') return 'finished';
  if (row.stage === 'ResumeSucceed') return 'resumed';
  if (stage === 'Resuming' || row.state === 'Paused') return 'resuming';
  if (isHeldUp) return 'heldUp';
  // A hook that runs is not written yet: the generation is ahead of what was observed.
  return row.state === 'Upgrading' || row.gen !== row.obs ? 'inFlight' : 'touched';
}
