import type { CauseCode, DisplayState, SandboxRow } from '@/lib/contracts/rows';
import type { MarkScope } from '@/lib/contracts/triage';
import type { LimitsInForce } from './limits';
import { type Severity, severityOf } from './severity';
import { longestRatio, pastOf } from './urgency';

/** What cohorts can be told apart by, beyond namespace, state, cause and pool. */
export const splitNames = ['node', 'revision', 'image'] as const;
export type Split = (typeof splitNames)[number];

const readers: Record<Split, (row: SandboxRow) => string | undefined> = {
  node: (row) => row.node,
  revision: (row) => row.hash,
  image: (row) => row.cause?.image,
};

/** A value that most members have: `36 of 37 on node-12`. */
export interface Share {
  by: Split;
  value: string;
  count: number;
}

/** Sandboxes that are where they are for one reason: same namespace, pool, state and cause, and what they are split by. */
export interface Cohort {
  /** Says the same as `scope`; stable while the matter is the same, and what stands in an address. */
  key: string;
  scope: MarkScope;
  ns: string;
  state: DisplayState;
  cause?: CauseCode;
  pool?: string;
  /** Values it is split by; `''` for members that have none. */
  split: Partial<Record<Split, string>>;
  severity: Severity;
  /** Every member is as severe. */
  alike: boolean;
  rows: SandboxRow[];
  sessions: number;
  /** Members that waiting cannot help. */
  never: number;
  /** The member that has been there for the longest; absent when no start is known. */
  oldest?: SandboxRow;
  /** Start of the member in the middle, epoch ms: half of them have been there for longer. */
  medianSince?: number;
  /** That one may have been there for longer than is known. */
  medianAtLeast?: true;
  /** How far past × sessions: higher comes first among equally severe ones. */
  weight: number;
  /** At most one a split, in their order: what more than half of the members have, two at least. */
  shares: Share[];
}

interface Growing extends Cohort {
  ratio: number;
  starts: { at: number; atLeast: boolean }[];
}

/** Rows as cohorts, the most urgent first. `now`: epoch ms of the server's clock. */
export function cohortsOf(
  rows: readonly SandboxRow[],
  splits: readonly Split[],
  now: number,
  limits: LimitsInForce,
): Cohort[] {
  const found = new Map<string, Growing>();
  for (const row of rows) {
    const key = keyOf(row, splits);
    let cohort = found.get(key);
    if (!cohort) {
      cohort = begin(key, row, splits);
      found.set(key, cohort);
    }
    add(cohort, row, now, limits);
  }
  return [...found.values()].map(finish).sort(moreUrgent);
}

/** Severe first, then heavy first; the key decides the rest, so that equal ones do not change places. */
export function moreUrgent(a: Cohort, b: Cohort): number {
  if (a.severity !== b.severity) return rank[b.severity] - rank[a.severity];
  if (a.weight !== b.weight) return b.weight - a.weight;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** As one number, larger first. */
export const urgencyOfCohort = ({ severity, weight }: Cohort): number => rank[severity] * 1e9 + weight;

const rank = { calm: 0, warn: 1, breach: 2 };

/** Parts of a key are names and image references; what separates them is none of their characters. */
const separator = '~';

/** What a key says: values of namespace, pool, state and cause, and of what it is split by. Undefined: it is none. */
export function partsOfKey(
  key: string,
): { ns: string; pool: string; state: string; cause: string; split: string[] } | undefined {
  const [ns, pool, state, cause, ...split] = key.split(separator);
  if (!ns || pool === undefined || !state || cause === undefined) return undefined;
  return { ns, pool, state, cause, split };
}

function keyOf(row: SandboxRow, splits: readonly Split[]): string {
  let key = row.ns + separator + (row.pool ?? '') + separator + row.state + separator + (row.cause?.code ?? '');
  for (const split of splits) key += separator + (readers[split](row) ?? '');
  return key;
}

function begin(key: string, row: SandboxRow, splits: readonly Split[]): Growing {
  const split = Object.fromEntries(splits.map((name) => [name, readers[name](row) ?? '']));
  const { ns, state } = row;
  const cause = row.cause?.code;
  return {
    key,
    // A value that is given, also an empty one, is asked of a row; the pool and the cause always are.
    scope: { ns, pool: row.pool ?? '', state, cause: cause ?? '', ...split },
    ns,
    state,
    ...(cause ? { cause } : {}),
    ...(row.pool === undefined ? {} : { pool: row.pool }),
    split,
    severity: 'calm',
    alike: true,
    rows: [],
    sessions: 0,
    never: 0,
    weight: 0,
    shares: [],
    ratio: 0,
    starts: [],
  };
}

function add(cohort: Growing, row: SandboxRow, now: number, limits: LimitsInForce): void {
  const severity = severityOf(row, now, limits);
  if (cohort.rows.length > 0 && severity !== cohort.severity) cohort.alike = false;
  if (rank[severity] > rank[cohort.severity]) cohort.severity = severity;
  cohort.ratio = Math.max(cohort.ratio, pastOf(row, now, limits));
  if (row.claimed) cohort.sessions++;
  if (row.cause?.never) cohort.never++;
  if (row.since !== undefined) {
    cohort.starts.push({ at: row.since, atLeast: row.sinceFrom === 'observed' });
    if (row.since < (cohort.oldest?.since ?? Number.POSITIVE_INFINITY)) cohort.oldest = row;
  }
  cohort.rows.push(row);
}

function finish({ ratio, starts, ...cohort }: Growing): Cohort {
  starts.sort((a, b) => a.at - b.at);
  const middle = starts[(starts.length - 1) >> 1];
  if (middle) cohort.medianSince = middle.at;
  if (middle?.atLeast) cohort.medianAtLeast = true;
  cohort.weight = Math.min(ratio, longestRatio) * Math.max(1, cohort.sessions);
  cohort.shares = splitNames.flatMap((by) => (by in cohort.split ? [] : (shareOf(cohort.rows, by) ?? [])));
  return cohort;
}

function shareOf(rows: readonly SandboxRow[], by: Split): Share | undefined {
  const counts = new Map<string, number>();
  let most: Share | undefined;
  for (const row of rows) {
    const value = readers[by](row);
    if (value === undefined) continue;
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > (most?.count ?? 0)) most = { by, value, count };
  }
  return most && most.count * 2 > rows.length && (most.count > 1 || rows.length === 1) ? most : undefined;
}
