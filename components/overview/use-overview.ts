import { useMemo } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark } from '@/lib/contracts/triage';
import { type AttentionItem, attentionOf } from '@/lib/domain/attention';
import type { LimitsInForce } from '@/lib/domain/limits';
import { type PoolView, runwayMinutes } from '@/lib/domain/pool-views';
import { poolKey } from '@/lib/domain/pools';
import { severityOf } from '@/lib/domain/severity';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useLimits, useNow, useRows } from '@/lib/live';
import { usePoolViews } from '../pools/use-pool-views';
import { useScope } from '../shell';
import { useMarks } from '../stuck/owner/use-marks';
import { useUpgrades } from '../upgrades/use-upgrade-views';

export type Overview = {
  attention: AttentionItem[];
  /** Shortest runway first. */
  pools: PoolView[];
  upgrades: Upgrade[];
  /** Without those that are put off, of which there are `putOff`. */
  stuck: { breach: number; warn: number; sessions: number; putOff: number };
  sessions: { claimed: number; paused: number; nextShutdownAt?: number };
  claimsPerMin?: number;
  refillsPerMin?: number;
};

/** Everything the page counts, from one reading of the rows; read again every five seconds for what time changes. */
export function useOverview(): Overview {
  const sandboxes = useRows('sandboxes');
  const pools = usePoolViews();
  const upgrades = useUpgrades();
  const now = useNow(5_000);
  const limits = useLimits();
  const { markOf } = useMarks(useScope().namespaces);
  return useMemo(() => {
    const told = sandboxes.filter((row) => markOf(row)?.kind !== 'snooze');
    const overview: Overview = {
      attention: attentionOf({ sandboxes: told, pools, upgrades }, now, limits),
      pools: pools.toSorted(byRunway),
      upgrades,
      stuck: countStuck(sandboxes, markOf, now, limits),
      sessions: countSessions(sandboxes, now),
    };
    const claims = total(pools.map(({ pool }) => pool.claimsPerMin));
    const refills = total(pools.map(({ pool }) => pool.refillsPerMin));
    if (claims !== undefined) overview.claimsPerMin = claims;
    if (refills !== undefined) overview.refillsPerMin = refills;
    return overview;
  }, [sandboxes, pools, upgrades, markOf, now, limits]);
}

const lasting = ({ runway }: PoolView) => runwayMinutes(runway) ?? Number.POSITIVE_INFINITY;

function byRunway(a: PoolView, b: PoolView): number {
  const [left, right] = [lasting(a), lasting(b)];
  if (left !== right) return left < right ? -1 : 1;
  return poolKey(a.pool.ns, a.pool.name) < poolKey(b.pool.ns, b.pool.name) ? -1 : 1;
}

function countStuck(
  sandboxes: readonly SandboxRow[],
  markOf: (row: SandboxRow) => Mark | undefined,
  now: number,
  limits: LimitsInForce,
): Overview['stuck'] {
  const counts = { breach: 0, warn: 0, sessions: 0, putOff: 0 };
  for (const row of sandboxes) {
    const severity = severityOf(row, now, limits);
    if (severity === 'calm') continue;
    if (markOf(row)?.kind === 'snooze') {
      counts.putOff++;
      continue;
    }
    counts[severity]++;
    if (row.claimed) counts.sessions++;
  }
  return counts;
}

function countSessions(sandboxes: readonly SandboxRow[], now: number): Overview['sessions'] {
  const sessions: Overview['sessions'] = { claimed: 0, paused: 0 };
  for (const row of sandboxes) {
    if (!row.claimed || row.reserved || row.state === 'Terminating' || row.state === 'Failed') continue;
    sessions.claimed++;
    if (row.state === 'Paused') sessions.paused++;
    if (row.shutdownAt !== undefined && row.shutdownAt > now) {
      sessions.nextShutdownAt = Math.min(sessions.nextShutdownAt ?? row.shutdownAt, row.shutdownAt);
    }
  }
  return sessions;
}

function total(rates: readonly (number | undefined)[]): number | undefined {
  const known = rates.filter((rate) => rate !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, rate) => sum + rate, 0);
}
