import 'server-only';
import type { Mark, TriageReply } from '@/lib/contracts/triage';
import { loadMarks } from '../../history/marks';
import { asked } from '../history/history-context';
import { ok, type Result, refuse } from '../result';
import type { TriageContext } from './triage-context';

/**
 * What people have said of what is stuck, as far as the person may see it; a refusal while that cannot be checked: nobody is
 * told that nothing was said. Without the database that is nothing, and it says so.
 */
export async function listMarks(
  ctx: TriageContext,
  namespaces: readonly string[] | undefined,
): Promise<Result<TriageReply>> {
  const isAsked = ({ scope: { ns } }: Mark) => namespaces === undefined || namespaces.includes(ns);
  const { found = [], store } = await asked(ctx, () => loadMarks(ctx.history));
  const marks = found.filter(isAsked);
  const unchecked = marks.find(({ scope: { ns } }) => ctx.scope.isUnchecked?.('sandboxes', ns));
  if (unchecked) {
    return refuse('upstream_unavailable', 'accessUnchecked', { namespace: unchecked.scope.ns });
  }
  return ok({ time: ctx.now(), store, marks: marks.filter(({ scope: { ns } }) => ctx.scope.maySee('sandboxes', ns)) });
}
