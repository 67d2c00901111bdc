import type { CauseCode, PoolRow, SandboxRow } from '@/lib/contracts/rows';
import { rolloutBudget, scaleRoom } from './budget';
import { groupBy } from './group-by';
import { type LimitsInForce, limitsOf } from './limits';
import { dwellOf, type Severity, severityOf } from './severity';

/** Key under which a pool and its sandboxes meet. */
export function poolKey(ns: string, name: string): string {
  return `${ns}/${name}`;
}

/** Sandboxes by pool, claimed ones included. */
export function indexByPool(sandboxes: Iterable<SandboxRow>): Map<string, SandboxRow[]> {
  const pooled = [...sandboxes].filter(hasPool);
  return groupBy(pooled, ({ ns, pool }) => poolKey(ns, pool));
}

function hasPool(row: SandboxRow): row is SandboxRow & { pool: string } {
  return row.pool !== undefined;
}

/** Counted from the sandboxes themselves: the status counters of a pool go stale both ways (T20, T58). */
export interface PoolStats {
  /** Idle and ready, locked ones included. */
  available: number;
  /** Idle and on their way: not ready yet, or not any more. */
  creating: number;
  terminating: number;
  /** Idle, failed or ended: the controller replaces them. */
  dead: number;
  /** Sessions; those kept for debugging are in no total. */
  claimed: number;
  /** Available ones that carry a lock and cannot be claimed; `lockLeft` of them for longer than a delete takes (T16). */
  locked: number;
  lockLeft: number;
  /** Idle members of the pool's current revision, and those of them that are available. */
  updatedCount: number;
  updatedAvailable: number;
  /** Idle members of another revision. */
  old: number;
  /** Its sandboxes, claimed ones included, that run or are paused, and those of them that a pause does not bring back (T1). */
  alive: number;
  stranding: number;
  /** Those of them whose next Pod is given an image that is pinned by digest by the controller; their template does not name it. */
  injected: number;
  /** Longest time a member has been in creation, ms; absent when none is or no start is known. */
  worstCreatingMs?: number;
  /** The controller has not seen the newest spec yet. */
  lag: boolean;
  /** The spec is seen, all members are available and of the current revision, and they are as many as wanted. */
  complete: boolean;
  /** Why members in creation are held up, most frequent first. */
  causes: { code: CauseCode; count: number }[];
}

const aliveStates: ReadonlySet<SandboxRow['state']> = new Set([
  'Available',
  'Running',
  'NotReady',
  'Initialising',
  'Pausing',
  'Paused',
]);

export function poolStats(
  pool: PoolRow,
  sandboxesOfPool: readonly SandboxRow[],
  now: number,
  limits: LimitsInForce,
): PoolStats {
  let available = 0;
  let creating = 0;
  let terminating = 0;
  let dead = 0;
  let claimed = 0;
  let locked = 0;
  let lockLeft = 0;
  let updatedCount = 0;
  let updatedAvailable = 0;
  let old = 0;
  let alive = 0;
  let stranding = 0;
  let injected = 0;
  let worst = -1;
  const causes = new Map<CauseCode, number>();

  for (const row of sandboxesOfPool) {
    if (aliveStates.has(row.state)) alive++;
    if (row.strands) stranding++;
    if (row.pinned && row.imageFrom === 'injection') injected++;
    if (!row.idle) {
      if (row.claimed && !row.reserved && isInUse(row)) claimed++;
      continue;
    }
    if (row.state === 'Terminating') {
      terminating++;
      continue;
    }
    const current = pool.revision !== undefined && row.hash === pool.revision;
    if (current) updatedCount++;
    else if (pool.revision !== undefined) old++;
    if (row.state === 'Available') {
      available++;
      if (row.locked) locked++;
      if (row.locked && severityOf(row, now, limits) !== 'calm') lockLeft++;
      if (current) updatedAvailable++;
    } else if (row.state === 'Failed' || row.state === 'Succeeded') {
      dead++;
    } else {
      creating++;
      worst = Math.max(worst, dwellOf(row, now).ms ?? -1);
      if (row.cause) causes.set(row.cause.code, (causes.get(row.cause.code) ?? 0) + 1);
    }
  }

  const lag = isLagging(pool);
  const stats: PoolStats = {
    available,
    creating,
    terminating,
    dead,
    claimed,
    locked,
    lockLeft,
    updatedCount,
    updatedAvailable,
    old,
    alive,
    stranding,
    injected,
    lag,
    complete: !lag && old + creating + dead === 0 && updatedAvailable === pool.desired && pool.revision !== undefined,
    causes: [...causes].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count),
  };
  if (worst >= 0) stats.worstCreatingMs = worst;
  return stats;
}

/** One that is on its way back to the pool is neither free nor in use. */
function isInUse({ state }: SandboxRow): boolean {
  return state !== 'Terminating' && state !== 'Failed' && state !== 'Succeeded' && state !== 'Recycling';
}

/** Setting deletionTimestamp increments the generation too, so a pool being deleted does not lag (T21). */
export function isLagging(pool: PoolRow): boolean {
  if (pool.deleting !== undefined || pool.gen === undefined) return false;
  return pool.gen > (pool.obs ?? 0);
}

/** How long a member of the pool may take to be made. */
export const creatingLimits = ({ ns, name }: Pick<PoolRow, 'ns' | 'name'>, limits: LimitsInForce) =>
  limitsOf({ state: 'Creating', ns, pool: name }, limits);

export const poolIssueCodes = [
  'NoTemplate',
  'TemplateMissing',
  'NameTooLong',
  'BelowTarget',
  'Empty',
  'ScaleThrottled',
  'ScalingLimited',
  'RolloutBlocked',
  'Locked',
  'SessionsLost',
  'Surplus',
  'NotSeen',
  'WouldStrand',
  'DigestPinned',
  'InjectedPinned',
] as const;
export type PoolIssueCode = (typeof poolIssueCodes)[number];

export interface PoolIssue {
  code: PoolIssueCode;
  /** calm: worth knowing, nothing to do. */
  severity: Severity;
  count?: number;
  /** Of how many. */
  of?: number;
  /** How long, where a start is known. */
  ms?: number;
  /** Names in the cluster's own words: containers, a field's value. */
  detail?: string;
  cause?: CauseCode;
}

const belowAfterMs = 60_000;
const ignoredAfterMs = 30_000;
const nameLimit = 63;
/** Nothing can be done for a session that is lost; an hour later its user has long met it. */
const lostToldMs = 60 * 60_000;

/** Most severe first. */
export function poolIssues(pool: PoolRow, stats: PoolStats, now: number, limits: LimitsInForce): PoolIssue[] {
  if (pool.deleting !== undefined) return [];
  const issues: PoolIssue[] = [];
  const members = stats.available + stats.creating + stats.dead;

  if (pool.noTemplate) issues.push({ code: 'NoTemplate', severity: 'breach' });
  if (pool.templateMissing) {
    issues.push({ code: 'TemplateMissing', severity: 'breach', detail: pool.templateRef ?? '' });
  }
  if (pool.name.length > nameLimit) issues.push({ code: 'NameTooLong', severity: 'breach', count: pool.name.length });

  const below = belowTarget(pool, stats, now, limits);
  if (below) issues.push(below);
  if (
    stats.available < pool.desired &&
    stats.creating > 0 &&
    scaleRoom(pool, stats.creating) === 0 &&
    members < pool.desired
  ) {
    issues.push({ code: 'ScaleThrottled', severity: 'warn', count: stats.creating, detail: String(pool.scaleMax) });
  }
  if (pool.scalingLimited !== undefined) {
    issues.push({ code: 'ScalingLimited', severity: 'warn', detail: pool.scalingLimited });
  }
  if (stats.old > 0 && !stats.lag && rolloutBudget(pool.updateMax, pool.desired) === 0) {
    issues.push({ code: 'RolloutBlocked', severity: 'warn', count: stats.old, detail: String(pool.updateMax) });
  }
  if (pool.lost) {
    const age = now - (pool.lost.last[0]?.at ?? 0);
    issues.push({ code: 'SessionsLost', severity: age < lostToldMs ? 'warn' : 'calm', count: pool.lost.count });
  }
  if (stats.lockLeft > 0) issues.push({ code: 'Locked', severity: 'warn', count: stats.lockLeft });
  if (members > pool.desired) issues.push({ code: 'Surplus', severity: 'calm', count: members - pool.desired });
  if (stats.lag) {
    const since = unseenSince(pool);
    const ms = since === undefined ? undefined : Math.max(0, now - since);
    const late = ms !== undefined && ms > ignoredAfterMs && !pool.noTemplate && !pool.templateMissing;
    issues.push({ code: 'NotSeen', severity: late ? 'warn' : 'calm', ...(ms === undefined ? {} : { ms }) });
  }
  if (stats.stranding > 0) {
    issues.push({ code: 'WouldStrand', severity: 'warn', count: stats.stranding, of: stats.alive });
  } else if (pool.digestPinned?.length) {
    issues.push({
      code: 'DigestPinned',
      severity: 'warn',
      count: pool.digestPinned.length,
      detail: pool.digestPinned.join(', '),
    });
  } else if (stats.injected > 0) {
    issues.push({ code: 'InjectedPinned', severity: 'warn', count: stats.injected, of: stats.alive });
  }
  const rank = { breach: 0, warn: 1, calm: 2 };
  return issues.sort((a, b) => rank[a.severity] - rank[b.severity]);
}

/**
 * Since when, at least, the controller has not looked at the newest spec of a pool that lags. Never given a status: since it
 * exists. Its SandboxTemplate does not exist, or no controller runs (T21, T57).
 */
export function unseenSince({ lagSince, scaledAt, obs, created }: PoolRow): number | undefined {
  return lagSince ?? scaledAt ?? (obs === undefined ? created : undefined);
}

/** What it made and nobody has seen yet holds a pool that was scaled up for a minute (agents#778); then the start comes. */
const bookKeepingMs = 90_000;

function isBookKeeping({ scaledAt, desired }: PoolRow, { available, creating, dead }: PoolStats, now: number): boolean {
  return scaledAt !== undefined && now - scaledAt < bookKeepingMs && available + creating + dead < desired;
}

/**
 * Below target for more than a minute. A pool that is being claimed from is briefly short all the time, so
 * the time counts from when the console saw it fall short, else from its slowest member.
 */
function belowTarget(pool: PoolRow, stats: PoolStats, now: number, limits: LimitsInForce): PoolIssue | undefined {
  const usable = stats.available - stats.locked;
  if (usable >= pool.desired) return undefined;
  const watched = pool.belowSince === undefined || isBookKeeping(pool, stats, now) ? 0 : now - pool.belowSince;
  const ms = Math.max(watched, stats.worstCreatingMs ?? 0);
  if (ms <= belowAfterMs) return undefined;
  const breach = creatingLimits(pool, limits)?.breach ?? Number.POSITIVE_INFINITY;
  const issue: PoolIssue = {
    code: usable === 0 ? 'Empty' : 'BelowTarget',
    severity: ms >= breach ? 'breach' : 'warn',
    count: pool.desired - usable,
    ms,
  };
  const cause = stats.causes[0]?.code;
  if (cause) issue.cause = cause;
  return issue;
}
