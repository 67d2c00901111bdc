import type { CauseCode, DisplayState, SandboxRow } from '@/lib/contracts/rows';
import { type Cohort, cohortsOf } from './cohorts';
import type { LimitsInForce } from './limits';
import { dwellOf, type Severity, severityOf } from './severity';

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

/** What is stuck as the cohorts of the Stuck page, most urgent first. */
export function stuckGroups(sandboxes: readonly SandboxRow[], now: number, limits: LimitsInForce): StuckGroup[] {
  const stuck = sandboxes.filter((row) => severityOf(row, now, limits) !== 'calm');
  return cohortsOf(stuck, [], now, limits).map((cohort) => groupOf(cohort, now));
}

function groupOf(cohort: Cohort, now: number): StuckGroup {
  const { ns, state, severity, weight, sessions, rows, pool, cause, oldest } = cohort;
  const dwell = oldest && dwellOf(oldest, now);
  const group: StuckGroup = {
    kind: 'stuck',
    key: `stuck/${cohort.key}`,
    severity: severity === 'breach' ? severity : 'warn',
    ns,
    state,
    never: cohort.never === rows.length,
    count: rows.length,
    sessions,
    atLeast: dwell?.atLeast ?? false,
    weight,
  };
  if (pool !== undefined) group.pool = pool;
  if (cause) group.cause = cause;
  if (dwell?.ms !== undefined) group.oldestMs = dwell.ms;
  const ends = rows.flatMap(({ shutdownAt }) => shutdownAt ?? []);
  if (ends.length > 0) group.shutdownAt = ends.reduce((a, b) => Math.min(a, b));
  const node = shared(rows, (row) => row.node);
  if (node !== undefined) group.node = node;
  const detail = shared(rows, (row) => row.cause?.detail ?? row.message);
  if (detail !== undefined) group.detail = detail;
  return group;
}

function shared<T>(rows: readonly SandboxRow[], of: (row: SandboxRow) => T | undefined): T | undefined {
  const [first] = rows;
  const value = first && of(first);
  return rows.every((row) => of(row) === value) ? value : undefined;
}
