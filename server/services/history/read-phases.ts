import 'server-only';
import type { PhaseHistoryReply } from '@/lib/contracts/objects';
import { gapsSince } from '../../history/stays/store';
import { ok, type Result } from '../result';
import { asked, gapsOf, type HistoryContext, refusedUnchecked } from './history-context';

export interface PhasesQuery {
  minutes: number;
  namespaces?: readonly string[] | undefined;
  pool?: { ns: string; name: string } | undefined;
}

/** Counts per state over the last minutes, of the namespaces that were asked for and may be seen. */
export async function readPhases(
  ctx: HistoryContext,
  { minutes, namespaces, pool }: PhasesQuery,
): Promise<Result<PhaseHistoryReply>> {
  const unchecked = refusedUnchecked(ctx, { namespaces, pool });
  if (unchecked) return unchecked;
  const { phases, recorder, history, scope, now } = ctx;
  const wanted = namespaces && new Set(namespaces);
  const maySee = (ns: string) => (!wanted || wanted.has(ns)) && scope.maySee('sandboxes', ns);
  const answer = await phases.read({ minutes, maySee, pool });
  const time = now();
  const from = time - minutes * 60_000;
  const { found = [], store } = await asked(recorder, () => history.read((db) => gapsSince(db, from)));
  return ok({ time, store, ...answer, gaps: gapsOf(found, recorder) });
}
