import type { CauseCode, DisplayState, SandboxRow } from '@/lib/contracts/rows';
import { groupBy } from './group-by';
import { dwellOf, overdueBy, type Severity, severityOf } from './severity';

export interface Urgent {
  /** Stable while the matter is the same, whatever its numbers. */
  key: string;
  severity: Exclude<Severity, 'calm'>;
  ns: string;
  /** Overdue × sessions: higher comes first among equally severe ones. */
  weight: number;
}

/** Sandboxes that are stuck for the same reason in the same pool; `node` when all of them share one. */
export interface StuckGroup extends Urgent {
  kind: 'stuck';
  state: DisplayState;
  cause?: CauseCode;
  never: boolean;
  /** The evidence, when all members have the same. */
  detail?: string;
  pool?: string;
  node?: string;
  count: number;
  sessions: number;
  /** Longest known dwell, ms. */
  oldestMs?: number;
  atLeast: boolean;
  /** Earliest shutdownTime of a member, epoch ms. */
  shutdownAt?: number;
}

/** Severe first, then heavy first; the key decides the rest, so that equal ones do not change places. */
export function moreUrgent(a: Urgent, b: Urgent): number {
  if (a.severity !== b.severity) return a.severity === 'breach' ? -1 : 1;
  if (a.weight !== b.weight) return b.weight - a.weight;
  return a.key < b.key ? -1 : 1;
}

/** The rail ends at ten times the breach; one old straggler must not outweigh forty sessions. */
export const longestRatio = 10;

/** Stuck sandboxes by state, cause and pool, most urgent first. */
export function stuckGroups(sandboxes: readonly SandboxRow[], now: number): StuckGroup[] {
  const groups = groupBy(
    sandboxes.filter((row) => severityOf(row, now) !== 'calm'),
    (row) => `stuck/${row.ns}/${row.pool ?? ''}/${row.state}/${row.cause?.code ?? ''}${row.cause?.never ? '!' : ''}`,
  );
  return [...groups].flatMap(([key, members]) => groupOf(key, members, now) ?? []).sort(moreUrgent);
}

function groupOf(key: string, members: readonly SandboxRow[], now: number): StuckGroup | undefined {
  const [first] = members;
  if (!first) return undefined;
  let oldestMs: number | undefined;
  let atLeast = false;
  let ratio = 0;
  let sessions = 0;
  let shutdownAt: number | undefined;
  let severity: Urgent['severity'] = 'warn';
  for (const row of members) {
    const dwell = dwellOf(row, now);
    if (dwell.ms !== undefined && (oldestMs === undefined || dwell.ms > oldestMs)) {
      oldestMs = dwell.ms;
      atLeast = dwell.atLeast;
    }
    ratio = Math.max(ratio, overdueBy(row, now)?.ratio ?? 0);
    if (row.claimed) sessions++;
    if (row.shutdownAt !== undefined) shutdownAt = Math.min(shutdownAt ?? row.shutdownAt, row.shutdownAt);
    if (severityOf(row, now) === 'breach') severity = 'breach';
  }
  const group: StuckGroup = {
    kind: 'stuck',
    key,
    severity,
    ns: first.ns,
    state: first.state,
    never: first.cause?.never ?? false,
    count: members.length,
    sessions,
    atLeast,
    weight: Math.min(ratio, longestRatio) * Math.max(1, sessions),
  };
  if (first.pool !== undefined) group.pool = first.pool;
  if (first.cause) group.cause = first.cause.code;
  if (oldestMs !== undefined) group.oldestMs = oldestMs;
  if (shutdownAt !== undefined) group.shutdownAt = shutdownAt;
  const node = shared(members, (row) => row.node);
  if (node !== undefined) group.node = node;
  const detail = shared(members, (row) => row.cause?.detail ?? row.message);
  if (detail !== undefined) group.detail = detail;
  return group;
}

function shared<T>(rows: readonly SandboxRow[], of: (row: SandboxRow) => T | undefined): T | undefined {
  const [first] = rows;
  const value = first && of(first);
  return rows.every((row) => of(row) === value) ? value : undefined;
}
