import 'server-only';
import type { ClaimsReply, ClaimTimes } from '@/lib/contracts/tasks';
import { nearestRank } from '@/lib/domain/nearest-rank';
import { ok, type Result } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import type { TasksContext } from './tasks-context';

const mostClaims = 500;
const mostShown = 60;

/** How long claims took, warm and cold, of pools that the person may see. Whose tasks they were is not told. */
export async function readClaimTimes(ctx: TasksContext): Promise<Result<ClaimsReply>> {
  const time = Date.now();
  if ('missing' in ctx.tasks && ctx.tasks.missing.includes('CONSOLE_DATA_DIR')) return ok({ time, claims: [] });
  try {
    const scope = await ctx.scope();
    const groups = new Map<string, ClaimTimes>();
    for (const { namespace: ns, pool: name, origin, claim_ms: ms } of await ctx.store.claims(mostClaims)) {
      if (origin === null || ms === null || !scope.maySee('sandboxsets', ns)) continue;
      const key = `${ns}/${name}/${origin}`;
      const group = groups.get(key) ?? { pool: { ns, name }, origin, n: 0, min: 0, p50: 0, p95: 0, max: 0, last: [] };
      group.last.push(Number(ms));
      groups.set(key, group);
    }
    return ok({ time, claims: [...groups.values()].map(withFigures) });
  } catch (error) {
    return refusedByHistory(error);
  }
}

function withFigures(group: ClaimTimes): ClaimTimes {
  const sorted = group.last.toSorted((a, b) => a - b);
  const at = (share: number) => nearestRank(sorted, share) ?? 0;
  return {
    ...group,
    n: sorted.length,
    min: at(0),
    p50: at(0.5),
    p95: at(0.95),
    max: at(1),
    last: group.last.slice(0, mostShown),
  };
}
