import 'server-only';
import type { LimitSettings, LimitsReply, SetLimitsRequest } from '@/lib/contracts/triage';
import { type LimitChange, limitChanges, visibleLimits } from '@/lib/domain/limits';
import type { Intent } from '../../history/audit';
import { recorded } from '../audited';
import { asked } from '../history/history-context';
import { ok, type Result, refuse } from '../result';
import { maySee, type TriageContext } from '../triage/triage-context';
import { refusedByHistory } from '../upgrades/upgrade-context';

/**
 * Sets the limits by which everybody's pages judge. Limits of pools that the person may not see stay as they are. Nobody's
 * change is overwritten: it takes the version that was seen.
 */
export async function setLimits(ctx: TriageContext, request: SetLimitsRequest): Promise<Result<LimitsReply>> {
  const seen = (ns: string) => ctx.scope.maySee('sandboxsets', ns);
  for (const key of Object.keys(request.pools)) {
    const allowed = maySee(ctx, 'sandboxsets', key.slice(0, key.indexOf('/')));
    if (!allowed.ok) return allowed;
  }
  // Another console may have changed what the person may not see. Where the database is away, the attempt below tells.
  await asked(ctx, () => ctx.limits.recall());
  const { settings: before } = ctx.limits;
  const hidden = visibleLimits(before, (ns) => !seen(ns)).pools;
  const wanted = { ...request, pools: { ...hidden, ...request.pools } };
  return recorded(ctx, intentOf(ctx, before, wanted), async () => {
    try {
      const { done, settings } = await ctx.limits.set(wanted, ctx.principal.subject);
      if (!done) {
        const { by = 'none', at } = settings;
        const values = { by, at: at === undefined ? 'none' : new Date(at).toISOString() };
        return refuse('conflict', 'limitsChanged', values, { applied: 'no' });
      }
      return ok({ time: ctx.now(), store: ctx.store(), settings: visibleLimits(settings, seen) });
    } catch (error) {
      return refusedByHistory(error);
    }
  });
}

/** In a list of actions there is room for so many. */
const told = 3;

function intentOf({ principal, requestId }: TriageContext, before: LimitSettings, wanted: SetLimitsRequest): Intent {
  const changes = limitChanges(before, wanted);
  const more = changes.length > told ? [`+${changes.length - told}`] : [];
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [nameOf(change), change[which] ?? null]));
  return {
    action: 'setLimits',
    actor: principal.subject,
    object: { kind: 'Limits', namespace: '', name: '', uid: '' },
    before: side('before'),
    after: side('after'),
    summary: [...changes.slice(0, told).map(changeText), ...more].join(', '),
    requestId,
  };
}

const nameOf = ({ pool, state }: LimitChange) => (pool === undefined ? state : `${pool} ${state}`);
const pairText = (pair: LimitChange['before']) => (pair ? `${pair.warn / 1000} s / ${pair.breach / 1000} s` : '–');
const changeText = (change: LimitChange) => `${nameOf(change)} ${pairText(change.before)} → ${pairText(change.after)}`;
