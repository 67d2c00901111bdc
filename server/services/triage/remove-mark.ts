import 'server-only';
import type { Mark } from '@/lib/contracts/triage';
import { loadMarks, removeMark as takeAway } from '../../history/marks';
import { recorded } from '../audited';
import { ok, type Result, refuse } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import { markIntent, takenByOther } from './mark-audit';
import type { TriageContext } from './triage-context';

/** Takes back what was said, also what somebody else has said: not after it has changed. One that is gone is no failure. */
export async function removeMark(
  ctx: TriageContext,
  id: string,
  version: number,
): Promise<Result<{ removed: boolean }>> {
  let mark: Mark | undefined;
  try {
    mark = (await loadMarks(ctx.history)).find((each) => each.id === id);
  } catch (error) {
    return refusedByHistory(error);
  }
  if (mark && ctx.scope.isUnchecked?.('sandboxes', mark.scope.ns)) {
    return refuse('upstream_unavailable', 'accessUnchecked', { namespace: mark.scope.ns }, { applied: 'no' });
  }
  if (!mark || !ctx.scope.maySee('sandboxes', mark.scope.ns)) return ok({ removed: false });
  return recorded(ctx, markIntent(ctx, 'releaseMark', mark.scope, { before: mark }), async () => {
    try {
      const outcome = await takeAway(ctx.history, id, version);
      await ctx.said();
      return outcome && 'other' in outcome ? takenByOther(outcome.other) : ok({ removed: outcome !== undefined });
    } catch (error) {
      return refusedByHistory(error);
    }
  });
}
