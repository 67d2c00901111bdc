import 'server-only';
import { type RowKind, rowKinds } from '@/lib/contracts/rows';
import { once } from '../once';
import { type Access, type AccessClient, can, keyOf, lastAnswer } from './can';
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
  /** Not seen only because the API server cannot be asked now whether it may be: nobody has said no. */
  isUnchecked?(kind: RowKind, namespace?: string): boolean;
};

/**
 * Asks once per kind for all namespaces, and per namespace only where that is refused. Answers are cached for a minute
 * by {@link can}, and the last one stands for a while when the API server is away; what was never answered is not shown. What had no answer is asked again the next time, after all others:
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
  /** By `kind` or `kind/namespace`: what was denied, and what has no answer. */
  const refused = new Set<string>();
  const open = new Set<string>();

  const questionOf = (kind: RowKind) => ({
    verb: 'list',
    group: clusterScoped.has(kind) ? '' : 'agents.kruise.io',
    resource: kind,
  });
  await Promise.all(
    rowKinds.map(async (kind) => {
      const access = await can(client, principal, questionOf(kind));
      const answer = answered(access);
      if (answer === 'allowed') everywhere.add(kind);
      else if (!clusterScoped.has(kind)) somewhere.set(kind, new Set());
      if (answer === undefined) open.add(kind);
    }),
  );

  const unanswered = unansweredOf.get(client) ?? new Set<string>();
  unansweredOf.set(client, unanswered);
  if (unanswered.size > unansweredMost) unanswered.clear();
  const left = [...somewhere].flatMap(([kind, seen]) =>
    namespaces.map((namespace) => {
      const question = { ...questionOf(kind), namespace };
      const key = keyOf(principal, question);
      return { kind, seen, question, key, late: unanswered.has(key) };
    }),
  );
  const next = [...left.filter(({ late }) => !late), ...left.filter(({ late }) => late)].values();
  const note = ({ kind, seen, question: { namespace } }: (typeof left)[number], answer: Answer) => {
    if (answer === 'allowed') seen.add(namespace);
    else (answer === 'denied' ? refused : open).add(`${kind}/${namespace}`);
  };
  const ask = async () => {
    for (const each of next) {
      const { question, key } = each;
      const access = await can(client, principal, question);
      note(each, answered(access));
      if (access.state !== 'unknown') {
        unanswered.delete(key);
        continue;
      }
      unanswered.add(key);
      // One asker less: when no question is answered, all of them have soon given up, and nobody waits for the rest.
      return;
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));
  for (const each of next) note(each, lastAnswer(client, principal, each.question));

  const maySee = (kind: RowKind, namespace?: string): boolean => {
    if (everywhere.has(kind)) return true;
    if (namespace === undefined) return false;
    if (kind !== 'namespaces') return somewhere.get(kind)?.has(namespace) ?? false;
    return rowKinds.some((k) => !clusterScoped.has(k) && (everywhere.has(k) || somewhere.get(k)?.has(namespace)));
  };
  return {
    maySee,
    isUnchecked: (kind, namespace) =>
      !maySee(kind, namespace) &&
      !refused.has(`${kind}/${namespace}`) &&
      (open.has(kind) || open.has(`${kind}/${namespace}`)),
  };
}

type Answer = 'allowed' | 'denied' | undefined;

/** What the API server says, or last said. */
const answered = (access: Access): Answer => (access.state === 'unknown' ? access.last : access.state);
