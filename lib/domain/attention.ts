import type { CauseCode, PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { LimitsInForce } from './limits';
import type { PoolView } from './pool-views';
import { creatingLimits, type PoolIssueCode } from './pools';
import { moreUrgent, type StuckGroup, stuckGroups, type Urgent } from './stuck-groups';
import type { UpgradePhase } from './upgrades/view';
import type { Upgrade } from './upgrades/views';
import { longestRatio } from './urgency';

export type { StuckGroup } from './stuck-groups';

export interface UpgradeItem extends Urgent {
  kind: 'upgrade';
  name: string;
  phase: Extract<UpgradePhase, 'Deadlocked' | 'Failed' | 'NotTaken'>;
  limit: number;
  failed: number;
  waiting: number;
  /** Time since the last change, ms. */
  quietMs?: number;
  holdsLock: boolean;
}

export interface PoolItem extends Urgent {
  kind: 'pool';
  name: string;
  issue: Extract<PoolIssueCode, 'BelowTarget' | 'Empty' | 'NoTemplate' | 'NameTooLong'> | 'RunningEmpty';
  available: number;
  desired: number;
  claimsPerMin?: number;
  refillsPerMin?: number;
  /** Refills fail or have stopped: their average says nothing. */
  unfilled?: true;
  /** Until it is empty. */
  minutes?: number;
  ms?: number;
  cause?: CauseCode;
}

export type AttentionItem = StuckGroup | UpgradeItem | PoolItem;

export interface AttentionInput {
  sandboxes: readonly SandboxRow[];
  pools: readonly PoolView[];
  upgrades: readonly Upgrade[];
}

/** What the Overview lists, most urgent first: data only, no text. */
export function attentionOf(
  { sandboxes, pools, upgrades }: AttentionInput,
  now: number,
  limits: LimitsInForce,
): AttentionItem[] {
  const upgradeItems = upgrades.flatMap((upgrade) => upgradeItem(upgrade) ?? []);
  // Sandboxes that failed in an operation which is listed itself are told there, once.
  const told = new Set(upgradeItems.map(({ ns, name }) => `${ns}/${name}`));
  const stuck = stuckGroups(
    sandboxes.filter(
      (row) => !(row.op !== undefined && row.stage?.endsWith('Failed') && told.has(`${row.ns}/${row.op}`)),
    ),
    now,
    limits,
  );
  return [...stuck, ...upgradeItems, ...pools.flatMap((pool) => poolItem(pool, limits) ?? [])].sort(moreUrgent);
}

function upgradeItem({ op, view }: Upgrade): UpgradeItem | undefined {
  const { phase } = view;
  const failing = view.failures.reduce((sum, { count }) => sum + count, 0);
  const needsHelp =
    phase === 'Deadlocked' ||
    // A failed operation stays until somebody deletes it; it matters while its sandboxes are still failed.
    (phase === 'Failed' && failing > 0) ||
    (phase === 'NotTaken' && view.concerns.includes('NeedsEdit'));
  if (!needsHelp) return undefined;
  const item: UpgradeItem = {
    kind: 'upgrade',
    key: `upgrade/${op.ns}/${op.name}/${phase}`,
    severity: phase === 'NotTaken' ? 'warn' : 'breach',
    ns: op.ns,
    name: op.name,
    phase,
    limit: view.limit,
    // A Pod that is refused keeps its slot like a failure.
    failed: view.failed + view.refused,
    waiting: view.waiting,
    holdsLock: view.holder?.uid === op.uid,
    weight: Math.max(1, view.failed + (phase === 'Deadlocked' ? view.waiting : 0)),
  };
  if (view.quietMs !== undefined) item.quietMs = view.quietMs;
  return item;
}

const runningEmptyMinutes = 15;

function poolItem({ pool, stats, runway, issues }: PoolView, limits: LimitsInForce): PoolItem | undefined {
  const base = {
    kind: 'pool',
    ns: pool.ns,
    name: pool.name,
    available: stats.available,
    desired: pool.desired,
  } as const;
  const rates = {
    ...ratesOf(pool),
    ...(runway.kind === 'empty-in' && runway.unfilled ? { unfilled: true as const } : {}),
  };
  for (const { code, severity, ms, cause } of issues) {
    if (severity === 'calm') continue;
    if (code !== 'BelowTarget' && code !== 'Empty' && code !== 'NoTemplate' && code !== 'NameTooLong') continue;
    const short = pool.desired - stats.available;
    const creatingBreachMs = creatingLimits(pool, limits)?.breach ?? 1;
    const item: PoolItem = {
      ...base,
      ...rates,
      key: `pool/${pool.ns}/${pool.name}/${code}`,
      severity,
      issue: code,
      weight: Math.max(1, short * (ms === undefined ? 1 : Math.min(longestRatio, ms / creatingBreachMs))),
    };
    if (ms !== undefined) item.ms = ms;
    if (cause !== undefined) item.cause = cause;
    if (runway.kind === 'empty-in') item.minutes = runway.minutes;
    return item;
  }
  if (runway.kind !== 'empty-in' || runway.minutes > runningEmptyMinutes) return undefined;
  return {
    ...base,
    ...rates,
    key: `pool/${pool.ns}/${pool.name}/RunningEmpty`,
    severity: 'warn',
    issue: 'RunningEmpty',
    minutes: runway.minutes,
    weight: runningEmptyMinutes / Math.max(1, runway.minutes),
  };
}

function ratesOf(pool: PoolRow): Pick<PoolItem, 'claimsPerMin' | 'refillsPerMin'> {
  const rates: Pick<PoolItem, 'claimsPerMin' | 'refillsPerMin'> = {};
  if (pool.claimsPerMin !== undefined) rates.claimsPerMin = pool.claimsPerMin;
  if (pool.refillsPerMin !== undefined) rates.refillsPerMin = pool.refillsPerMin;
  return rates;
}
