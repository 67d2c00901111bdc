import 'server-only';
import type { Mark, TriageReply } from '@/lib/contracts/triage';
import { HistoryUnavailable } from '../../history/database';
import { loadMarks } from '../../history/marks';
import { ok, type Result } from '../result';
import type { TriageContext } from './triage-context';

/** What people have said of what is stuck, as far as the person may see it. Without the database that is nothing, and it says so. */
export async function listMarks(
  ctx: TriageContext,
  namespaces: readonly string[] | undefined,
): Promise<Result<TriageReply>> {
  const seen = ({ scope: { ns } }: Mark) =>
    (namespaces === undefined || namespaces.includes(ns)) && ctx.scope.maySee('sandboxes', ns);
  try {
    const marks = (await loadMarks(ctx.history)).filter(seen);
    return ok({ time: ctx.now(), store: ctx.store(), marks });
  } catch (error) {
    if (!(error instanceof HistoryUnavailable)) throw error;
    const store = ctx.store();
    const away = store.state === 'ok' ? { ...store, state: 'unavailable' as const, why: error.message } : store;
    return ok({ time: ctx.now(), store: away, marks: [] });
  }
}
