import 'server-only';
import { longestSnoozeMs, type Mark, type SetMarkReply, type SetMarkRequest } from '@/lib/contracts/triage';
import { redactText } from '@/lib/domain/redact';
import { setMark as storeMark } from '../../history/marks';
import { recorded } from '../audited';
import { ok, type Result, refuse } from '../result';
import { refusedByHistory } from '../upgrades/upgrade-context';
import { markIntent, takenByOther } from './mark-audit';
import { maySee, type TriageContext } from './triage-context';

/**
 * Says that somebody is on it, or puts it off. Nothing is written to the cluster, but everybody who looks at it is told who
 * said what: so a note is kept without what looks like a credential.
 */
export async function setMark(ctx: TriageContext, asked: SetMarkRequest): Promise<Result<SetMarkReply>> {
  const allowed = maySee(ctx, 'sandboxes', asked.scope.ns);
  if (!allowed.ok) return allowed;
  const { until, note, ...request } = asked;
  const words = note === undefined ? undefined : redactText(note.trim());
  const wanted: SetMarkRequest = {
    ...request,
    ...(words ? { note: words } : {}),
    ...(asked.kind === 'snooze' && until !== undefined ? { until } : {}),
  };
  const intent = markIntent(ctx, asked.kind === 'ack' ? 'acknowledge' : 'snooze', wanted.scope, { after: wanted });
  return recorded(ctx, intent, async () => {
    const now = ctx.now();
    if (asked.kind === 'snooze' && !(until !== undefined && until > now && until <= now + longestSnoozeMs)) {
      const hours = longestSnoozeMs / 3_600_000;
      const fields = [{ field: 'until', message: String(until), reason: 'invalid' as const }];
      return refuse('validation', 'snoozeEnd', { hours }, { fields, applied: 'no' });
    }
    try {
      const outcome = await storeMark(ctx.history, wanted, ctx.principal.subject, now);
      await ctx.said();
      return 'other' in outcome ? takenByOther(outcome.other) : ok<{ mark: Mark }>(outcome);
    } catch (error) {
      return refusedByHistory(error);
    }
  });
}
