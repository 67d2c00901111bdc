import 'server-only';
import type { LimitsReply } from '@/lib/contracts/triage';
import { visibleLimits } from '@/lib/domain/limits';
import { HistoryUnavailable } from '../../history/database';
import { ok, type Result } from '../result';
import type { TriageContext } from '../triage/triage-context';

/** The limits that differ from the defaults; while the database is away, those that are in force all the same. */
export async function readLimits(ctx: TriageContext): Promise<Result<LimitsReply>> {
  let store = ctx.store();
  try {
    await ctx.limits.recall();
  } catch (error) {
    if (!(error instanceof HistoryUnavailable)) throw error;
    if (store.state === 'ok') store = { ...store, state: 'unavailable', why: error.message };
  }
  const settings = visibleLimits(ctx.limits.settings, (ns) => ctx.scope.maySee('sandboxsets', ns));
  return ok({ time: ctx.now(), store, settings });
}
