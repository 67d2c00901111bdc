import 'server-only';
import type { LimitsReply } from '@/lib/contracts/triage';
import { visibleLimits } from '@/lib/domain/limits';
import { asked } from '../history/history-context';
import { ok, type Result } from '../result';
import type { TriageContext } from '../triage/triage-context';

/** The limits that differ from the defaults; while the database is away, those that are in force all the same. */
export async function readLimits(ctx: TriageContext): Promise<Result<LimitsReply>> {
  const { store } = await asked(ctx, () => ctx.limits.recall());
  const settings = visibleLimits(ctx.limits.settings, (ns) => ctx.scope.maySee('sandboxsets', ns));
  return ok({ time: ctx.now(), store, settings });
}
