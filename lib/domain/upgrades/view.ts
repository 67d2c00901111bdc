import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { upgradeLimit } from '../budget';
import { heldUpBy, isRefusedPod } from './held-up';
import { countSandboxes, type SandboxCounts, type SandboxStage, sandboxStage, type UpgradeStage } from './stages';

export const upgradePhases = [
  /** No phase and no finalizer: the controller has not taken it up. */
  'NotTaken',
  /** Another operation of the namespace is Updating: this one is ignored until then, and after (T7, T48). */
  'WaitingForOther',
  'Pending',
  'Updating',
  'PausedBySpec',
  /** What failed, or can never get its Pod, fills the budget: nothing starts while that lasts (T5). */
  'Deadlocked',
  'Completed',
  'Failed',
  'Deleting',
  /** To be deleted, and held by its finalizer while another operation of the namespace is Updating (T7). */
  'DeletingWaits',
  /** A phase this console does not know; show `op.phase`. */
  'Other',
] as const;
export type UpgradePhase = (typeof upgradePhases)[number];

export const upgradeConcernCodes = [
  /** Nothing was started although sandboxes match: the patch cannot be merged, or the limit is taken (T50). */
  'NothingStarted',
  /** No patch: healthy sandboxes that were never upgraded stay "updating" for ever (T11). */
  'LifecycleOnly',
  /** Every slot is taken by one that failed or is held up by something that may pass. */
  'SlotsHeldUp',
  /** Updating, and nothing changed for ten minutes (T6). */
  'NoChange',
  /** Not taken up for more than ten seconds and nothing will wake it but an edit (T48). */
  'NeedsEdit',
] as const;
export type UpgradeConcern = (typeof upgradeConcernCodes)[number];

export interface UpgradeView {
  phase: UpgradePhase;
  /** Concurrent upgrades allowed, resolved against the total. */
  limit: number;
  total: number;
  updated: number;
  updating: number;
  failed: number;
  waiting: number;
  /** Of the updating ones, those whose Pod the API server refuses as it is: each keeps its slot like a failed one. */
  refused: number;
  /** Slots to start the next ones: limit - updating - failed, never negative. */
  free: number;
  /** The operation of this namespace that is Updating; itself included. */
  holder?: { uid: string; name: string; since?: number };
  /** Operations that the webhook counts as active, itself included: while there is one, no other may be created. */
  active: string[];
  /** Adopted sandboxes with the stage each has reached, failures first, then by name. */
  sandboxes: ({ row: SandboxRow } & SandboxStage)[];
  /** The adopted ones counted from their own state, as the controller will count them; its status may lag behind. */
  counted: SandboxCounts;
  /** Failed ones by the stage they failed in. */
  failures: { stage: UpgradeStage; count: number }[];
  /** From creation to now, or to the last change when it is over; absent without a creation time. */
  elapsedMs?: number;
  /** Time since the last change that is known. */
  quietMs?: number;
  /** Finished per minute since it began, and what is left at that rate; absent until one is done. */
  perMinute?: number;
  etaMs?: number;
  /** What the rate was counted from: so many finished in so long. */
  rateFrom?: { updated: number; ms: number };
  concerns: UpgradeConcern[];
}

const quietLimitMs = 10 * 60_000;
const notTakenLimitMs = 10_000;

/** `opsOfNamespace` may hold `op` itself; `sandboxesOfOp` are the rows whose `op` is its name, in its namespace. */
export function upgradeView(
  op: UpgradeRow,
  opsOfNamespace: readonly UpgradeRow[],
  sandboxesOfOp: readonly SandboxRow[],
  now: number,
): UpgradeView {
  const sandboxes = sandboxesOfOp.map((row) => ({ row, ...sandboxStage(row, op) })).sort(failuresThenName);
  const updated = op.updated ?? 0;
  const updating = op.updating ?? 0;
  const failed = op.failed ?? 0;
  const total = op.total ?? 0;
  const limit = upgradeLimit(op.maxUnavailable, total);
  const holder = holderOf(opsOfNamespace);
  const refused = sandboxes.filter(isRefusedPod).length;
  const phase = phaseOf(op, holder, { updated, updating, failed, total, limit, refused });
  const view: UpgradeView = {
    phase,
    limit,
    total,
    updated,
    updating,
    failed,
    waiting: Math.max(0, total - updated - updating - failed),
    refused,
    free: Math.max(0, limit - updating - failed),
    active: opsOfNamespace.filter(isActive).map(({ name }) => name),
    sandboxes,
    counted: countSandboxes(sandboxes),
    failures: failuresOf(sandboxes),
    concerns: [],
  };
  if (holder) {
    view.holder = { uid: holder.uid, name: holder.name };
    if (holder.created !== undefined) view.holder.since = holder.created;
  }
  addTimes(view, op, now);
  view.concerns = concernsOf(view, op, now);
  return view;
}

/** The operation that holds the namespace; the controller works on one at a time (domain 6.1). */
export function holderOf(opsOfNamespace: readonly UpgradeRow[]): UpgradeRow | undefined {
  return opsOfNamespace.find((op) => op.phase === 'Updating');
}

/** It ended with failures, and some of its sandboxes are still failed: a later operation took none of those up. */
export const stillFails = ({ phase, failures }: Pick<UpgradeView, 'phase' | 'failures'>): boolean =>
  phase === 'Failed' && failures.length > 0;

/** What the webhook calls active: any phase but Completed and Failed, the empty one included. */
export function isActive(op: Pick<UpgradeRow, 'phase'>): boolean {
  return op.phase !== 'Completed' && op.phase !== 'Failed';
}

function phaseOf(
  op: UpgradeRow,
  holder: UpgradeRow | undefined,
  counts: Pick<UpgradeView, 'updated' | 'updating' | 'failed' | 'total' | 'limit' | 'refused'>,
): UpgradePhase {
  const waits = holder !== undefined && holder.uid !== op.uid;
  if (op.deleting !== undefined) return waits ? 'DeletingWaits' : 'Deleting';
  switch (op.phase) {
    case '':
    case 'Pending':
      if (waits) return 'WaitingForOther';
      return op.taken ? 'Pending' : 'NotTaken';
    case 'Updating': {
      const { updated, updating, failed, total, limit, refused } = counts;
      const isFull = updating <= refused && updating + failed >= limit;
      if (isFull && updated + updating + failed < total) return 'Deadlocked';
      return op.paused ? 'PausedBySpec' : 'Updating';
    }
    case 'Completed':
    case 'Failed':
      return op.phase;
    default:
      return 'Other';
  }
}

function failuresOf(sandboxes: UpgradeView['sandboxes']): UpgradeView['failures'] {
  const counts = new Map<UpgradeStage, number>();
  for (const { stage, failed } of sandboxes) if (failed && stage) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return [...counts].map(([stage, count]) => ({ stage, count }));
}

function failuresThenName(a: UpgradeView['sandboxes'][number], b: UpgradeView['sandboxes'][number]): number {
  if (a.failed !== b.failed) return a.failed ? -1 : 1;
  return a.row.name < b.row.name ? -1 : 1;
}

function addTimes(view: UpgradeView, op: UpgradeRow, now: number): void {
  const over = view.phase === 'Completed' || view.phase === 'Failed';
  const last = op.changedAt;
  if (op.created !== undefined) {
    // An operation that is over lasted until its last change; without one its length is unknown.
    const end = over ? last : now;
    if (end !== undefined) view.elapsedMs = Math.max(0, end - op.created);
  }
  if (last !== undefined) view.quietMs = Math.max(0, now - last);
  if (view.phase !== 'Updating' || !view.elapsedMs || view.updated === 0) return;
  view.perMinute = view.updated / (view.elapsedMs / 60_000);
  view.rateFrom = { updated: view.updated, ms: view.elapsedMs };
  view.etaMs = ((view.waiting + view.updating) / view.perMinute) * 60_000;
}

function concernsOf(view: UpgradeView, op: UpgradeRow, now: number): UpgradeConcern[] {
  const concerns: UpgradeConcern[] = [];
  const age = op.created === undefined ? 0 : now - op.created;
  if (view.phase === 'NotTaken' && age > notTakenLimitMs) concerns.push('NeedsEdit');
  if (view.phase !== 'Updating') return concerns;
  const idle = view.updated + view.updating + view.failed === 0;
  if (idle && view.total > 0 && age > notTakenLimitMs) concerns.push('NothingStarted');
  if (!op.hasPatch && view.updating > 0) concerns.push('LifecycleOnly');
  const heldUp = view.sandboxes.filter((one) => heldUpBy(op, one, now) !== undefined).length;
  if (view.free === 0 && view.waiting > 0 && heldUp > 0 && heldUp >= view.updating) concerns.push('SlotsHeldUp');
  if ((view.quietMs ?? 0) > quietLimitMs) concerns.push('NoChange');
  return concerns;
}
