import 'server-only';
import type { PhaseHistoryReply } from '@/lib/contracts/objects';
import { ok, type Result } from '../result';
import type { HistoryContext } from './history-context';

export interface PhasesQuery {
  minutes: number;
  namespaces?: readonly string[] | undefined;
  pool?: { ns: string; name: string } | undefined;
}

/** Counts per state over the last minutes, of the namespaces that were asked for and may be seen. */
export async function readPhases(
  { phases, recorder, scope, now }: Pick<HistoryContext, 'phases' | 'recorder' | 'scope' | 'now'>,
  { minutes, namespaces, pool }: PhasesQuery,
): Promise<Result<PhaseHistoryReply>> {
  const asked = namespaces && new Set(namespaces);
  const maySee = (ns: string) => (!asked || asked.has(ns)) && scope.maySee('sandboxes', ns);
  const answer = await phases.read({ minutes, maySee, pool });
  return ok({ time: now(), store: recorder.store(), ...answer });
}
