import type { SandboxRow, SinceSource } from '@/lib/contracts/rows';
import { nextThing } from './deadlines';
import { type Limited, type Limits, type LimitsInForce, limitsOf, lockedLimits } from './limits';

/** Red means act: `breach` is past the breach line, failed, or never converging. */
export type Severity = 'calm' | 'warn' | 'breach';

type Timed = Pick<SandboxRow, 'state' | 'since' | 'sinceFrom'>;
export type Judged = Timed &
  Limited &
  Pick<
    SandboxRow,
    'stage' | 'cause' | 'idle' | 'locked' | 'reserved' | 'paused' | 'pauseAt' | 'shutdownAt' | 'created'
  >;

export interface Dwell {
  /** Milliseconds in the state; absent when the start is unknown. Never negative: clocks differ. */
  ms?: number;
  /** The state may have begun earlier: it was first seen, not seen to begin. */
  atLeast: boolean;
  from: SinceSource;
}

/** `now` is the cluster's clock, epoch ms: `since` is a time of the cluster. */
export function dwellOf(row: Timed, now: number): Dwell {
  const ms = elapsed(row, now);
  const atLeast = row.sinceFrom === 'observed';
  return ms === undefined ? { atLeast, from: row.sinceFrom } : { ms, atLeast, from: row.sinceFrom };
}

function elapsed(row: Timed, now: number): number | undefined {
  return row.since === undefined ? undefined : Math.max(0, now - row.since);
}

/** `limits`: those in force; `now` as everywhere here. */
export function severityOf(row: Judged, now: number, limits: LimitsInForce): Severity {
  // Kept on purpose for debugging: its own category, nobody's alarm.
  if (row.reserved) return 'calm';
  if (isRedAtOnce(row)) return 'breach';
  const own = severityAt(elapsed(row, now), rowLimits(row, limits));
  if (own === 'breach') return own;
  const expired = severityAt(...expiry(row, now, limits));
  return expired === 'calm' ? own : expired;
}

function severityAt(ms: number | undefined, own: Limits | undefined): Severity {
  if (!own) return 'calm';
  // A lock whose age nobody saw is one that outlived the delete that set it (T16).
  if (ms === undefined) return own === lockedLimits ? 'warn' : 'calm';
  if (ms < own.warn) return 'calm';
  return ms < own.breach ? 'warn' : 'breach';
}

/** For how long what has expired is still there, and its limits: those of a deletion that was asked for. */
function expiry(row: Judged, now: number, limits: LimitsInForce): [number | undefined, Limits | undefined] {
  if (row.shutdownAt === undefined || row.shutdownAt > now) return [undefined, undefined];
  if (nextThing(row, now)?.kind !== 'expired') return [undefined, undefined];
  // One that had expired before it was made is deleted once it is seen.
  const ms = now - Math.max(row.shutdownAt, row.created ?? row.shutdownAt);
  return [ms, limitsOf({ ...row, state: 'Terminating' }, limits)];
}

function isRedAtOnce(row: Judged): boolean {
  if (row.state === 'Failed' || row.cause?.never) return true;
  return row.state === 'Upgrading' && (row.stage?.endsWith('Failed') ?? false);
}

/** The limits of the row's state; undefined for what may last for ever. */
export function rowLimits(
  row: Limited & Pick<SandboxRow, 'idle' | 'locked'>,
  limits: LimitsInForce,
): Limits | undefined {
  return row.state === 'Available' && row.idle && row.locked ? lockedLimits : limitsOf(row, limits);
}

/** Past a limit of its state, or certain never to leave it. A failed sandbox is not late, it has ended. */
export function isOverdue(row: Judged, now: number, limits: LimitsInForce): boolean {
  return row.state !== 'Failed' && severityOf(row, now, limits) !== 'calm';
}

/** What the Stuck page lists: everything somebody has to look at. */
export function isStuck(row: Judged, now: number, limits: LimitsInForce): boolean {
  return severityOf(row, now, limits) !== 'calm';
}

export interface Overdue {
  /** Milliseconds past the breach line, or past the warn line when that is all that is passed; 0 without a clock. */
  ms: number;
  /** Dwell as a share of the breach limit, comparable across states; at least 1 for what is red without a clock. */
  ratio: number;
}

/** How far past, for sorting; undefined when the row is calm. */
export function overdueBy(row: Judged, now: number, limits: LimitsInForce): Overdue | undefined {
  const severity = severityOf(row, now, limits);
  if (severity === 'calm') return undefined;
  const floor = severity === 'breach' ? 1 : 0;
  const own = past(elapsed(row, now), rowLimits(row, limits));
  const expired = past(...expiry(row, now, limits));
  const worst = expired.ratio > own.ratio ? expired : own;
  return { ms: worst.ms, ratio: Math.max(floor, worst.ratio) };
}

function past(ms = 0, own?: Limits): Overdue {
  if (!own) return { ms: 0, ratio: 0 };
  return { ms: Math.max(0, ms - (ms >= own.breach ? own.breach : own.warn)), ratio: ms / own.breach };
}
