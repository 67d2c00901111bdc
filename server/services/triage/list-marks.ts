import 'server-only';
import type { Mark, TriageReply } from '@/lib/contracts/triage';
import { loadMarks } from '../../history/marks';
import { asked } from '../history/history-context';
import { ok, type Result } from '../result';
import type { TriageContext } from './triage-context';

/** What people have said of what is stuck, as far as the person may see it. Without the database that is nothing, and it says so. */
export async function listMarks(
  ctx: TriageContext,
  namespaces: readonly string[] | undefined,
): Promise<Result<TriageReply>> {
  const seen = ({ scope: { ns } }: Mark) =>
    (namespaces === undefined || namespaces.includes(ns)) && ctx.scope.maySee('sandboxes', ns);
  const { found = [], store } = await asked(ctx, () => loadMarks(ctx.history));
  return ok({ time: ctx.now(), store, marks: found.filter(seen) });
}
