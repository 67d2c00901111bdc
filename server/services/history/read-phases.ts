import 'server-only';
import type { PhaseHistoryReply } from '@/lib/contracts/objects';
import type { Scope } from '../../access/scope';
import type { PhaseHistory } from '../../history/phases';
import { ok, type Result } from '../result';

/** Counts per state over the last minutes, of the namespaces that were asked for and may be seen. */
export function readPhases(
  history: PhaseHistory,
  scope: Scope,
  { minutes, namespaces }: { minutes: number; namespaces?: readonly string[] | undefined },
): Result<PhaseHistoryReply> {
  const asked = namespaces && new Set(namespaces);
  return ok(history.read(minutes, (ns) => (!asked || asked.has(ns)) && scope.maySee('sandboxes', ns)));
}
