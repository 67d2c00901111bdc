import 'server-only';
import { type RowKind, rowKinds } from '@/lib/contracts/rows';
import { once } from '../once';
import { type AccessClient, can, keyOf } from './can';
import type { Principal } from './principal';

/** Kinds of the core group, which here are the ones without a namespace. */
const clusterScoped: ReadonlySet<RowKind> = new Set(['nodes', 'namespaces']);

/** Questions by namespace that are open at a time: a cluster may have thousands, and other work for its API server. */
const askedAtOnce = 16;

/** What had no answer when it was last asked. A key of a person or a namespace that is gone does no harm, many would. */
const unansweredOf = once('access.unanswered', () => new WeakMap<AccessClient, Set<string>>());
const unansweredMost = 5_000;

/** Which rows a person may see: what the API server would let that person list. */
export type Scope = {
  /** `namespace` is ignored for nodes; a namespace row is seen when anything in that namespace is. */
  maySee(kind: RowKind, namespace?: string): boolean;
};

/**
 * Asks once per kind for all namespaces, and per namespace only where that is refused. Answers are cached for a minute
 * by {@link can}; what cannot be asked is not shown. What had no answer is asked again the next time, after all others:
 * a few namespaces whose answers never come keep no others from being asked.
 * @param namespaces the namespaces that exist, from the shared cache
 */
export async function scopeOf(
  client: AccessClient,
  principal: Principal,
  namespaces: readonly string[],
): Promise<Scope> {
  const everywhere = new Set<RowKind>();
  const somewhere = new Map<RowKind, Set<string>>();

  const questionOf = (kind: RowKind) => ({
    verb: 'list',
    group: clusterScoped.has(kind) ? '' : 'agents.kruise.io',
    resource: kind,
  });
  await Promise.all(
    rowKinds.map(async (kind) => {
      if ((await can(client, principal, questionOf(kind))).state === 'allowed') everywhere.add(kind);
      else if (!clusterScoped.has(kind)) somewhere.set(kind, new Set());
    }),
  );

  const unanswered = unansweredOf.get(client) ?? new Set<string>();
  unansweredOf.set(client, unanswered);
  if (unanswered.size > unansweredMost) unanswered.clear();
  const left = [...somewhere].flatMap(([kind, seen]) =>
    namespaces.map((namespace) => {
      const question = { ...questionOf(kind), namespace };
      const key = keyOf(principal, question);
      return { seen, question, key, late: unanswered.has(key) };
    }),
  );
  const next = [...left.filter(({ late }) => !late), ...left.filter(({ late }) => late)].values();
  const ask = async () => {
    for (const { seen, question, key } of next) {
      const { state } = await can(client, principal, question);
      if (state === 'allowed') seen.add(question.namespace);
      if (state !== 'unknown') {
        unanswered.delete(key);
        continue;
      }
      unanswered.add(key);
      // One asker less: when no question is answered, all of them have soon given up, and nobody waits for the rest.
      return;
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));

  const maySee = (kind: RowKind, namespace?: string): boolean => {
    if (everywhere.has(kind)) return true;
    if (namespace === undefined) return false;
    if (kind !== 'namespaces') return somewhere.get(kind)?.has(namespace) ?? false;
    return rowKinds.some((k) => !clusterScoped.has(k) && (everywhere.has(k) || somewhere.get(k)?.has(namespace)));
  };
  return { maySee };
}
