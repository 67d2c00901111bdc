import 'server-only';
import type { HistoryStore } from '@/lib/contracts/history';
import type { Principal } from '../../access/principal';
import { type Scope, scopeOf } from '../../access/scope';
import { type History, HistoryUnavailable, history } from '../../history/database';
import type { PhaseHistory } from '../../history/phases';
import { phaseHistory, recorder } from '../../history/running';
import type { Recorder } from '../../history/stays/recorder';
import { getCluster } from '../../kube/cluster';
import { clusterNow } from '../../kube/cluster-clock';
import { refuse } from '../result';

/** What services of the past lean on. */
export type HistoryContext = {
  history: History;
  recorder: Pick<Recorder, 'waiting' | 'leads' | 'since' | 'gaps' | 'store'>;
  phases: PhaseHistory;
  /** What the person may see. */
  scope: Scope;
  /** Namespaces that exist. */
  known: readonly string[];
  /** The cluster's clock. */
  now(): number;
};

export async function historyContext({ principal }: { principal: Principal }): Promise<HistoryContext> {
  const cluster = getCluster();
  const known = Array.from(cluster.rows('namespaces'), ({ name }) => name);
  return {
    history: history(),
    recorder: recorder(),
    phases: phaseHistory(),
    scope: await scopeOf(cluster.client, principal, known),
    known,
    now: clusterNow,
  };
}

/** What a question to the database found, or nothing, and the database as a page is to be told of it. */
export async function asked<T>(
  from: { store(): HistoryStore },
  question: () => Promise<T>,
): Promise<{ found?: T; store: HistoryStore }> {
  try {
    return { found: await question(), store: from.store() };
  } catch (error) {
    if (!(error instanceof HistoryUnavailable)) throw error;
    const store = from.store();
    return { store: store.state === 'ok' ? { ...store, state: 'unavailable', why: error.message } : store };
  }
}

/** Stretches that nobody watched: those that are stored, and those of this process that are not yet. */
export const gapsOf = (stored: readonly { began: number; ended: number }[], { gaps }: Pick<Recorder, 'gaps'>) =>
  [...stored.map(({ began, ended }) => ({ from: began, to: ended })), ...gaps].sort((a, b) => a.from - b.from);

/** Those of the namespaces asked for whose sandboxes the person may see; undefined: all there are or were. */
export function namespacesSeen(
  { scope, known }: HistoryContext,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  // A namespace that is gone may be asked for by whoever may see all.
  if (scope.maySee('sandboxes')) return wanted;
  return (wanted ?? known).filter((namespace) => scope.maySee('sandboxes', namespace));
}

/**
 * The refusal when it cannot be checked now whether the person may see the sandboxes of something that was asked for: nobody is
 * told that there was nothing. Undefined when it can.
 */
export function refusedUnchecked(
  { scope, known }: HistoryContext,
  { namespaces = known, pool }: { namespaces?: readonly string[] | undefined; pool?: { ns: string } | undefined },
): ReturnType<typeof refuse> | undefined {
  const namespace = (pool ? [pool.ns] : namespaces).find((ns) => scope.isUnchecked?.('sandboxes', ns));
  return namespace === undefined ? undefined : refuse('upstream_unavailable', 'accessUnchecked', { namespace });
}
