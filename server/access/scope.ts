import 'server-only';
import { type RowKind, rowKinds } from '@/lib/contracts/rows';
import { type AccessClient, can } from './can';
import type { Principal } from './principal';

/** Kinds of the core group, which here are the ones without a namespace. */
const clusterScoped: ReadonlySet<RowKind> = new Set(['nodes', 'namespaces']);

/** Which rows a person may see: what the API server would let that person list. */
export type Scope = {
  /** `namespace` is ignored for nodes; a namespace row is seen when anything in that namespace is. */
  maySee(kind: RowKind, namespace?: string): boolean;
};

/**
 * Asks once per kind for all namespaces, and per namespace only where that is refused. Answers are cached for a minute
 * by {@link can}; what cannot be asked is not shown.
 * @param namespaces the namespaces that exist, from the shared cache
 */
export async function scopeOf(
  client: AccessClient,
  principal: Principal,
  namespaces: readonly string[],
): Promise<Scope> {
  const everywhere = new Set<RowKind>();
  const somewhere = new Map<RowKind, Set<string>>();

  await Promise.all(
    rowKinds.map(async (kind) => {
      const question = { verb: 'list', group: clusterScoped.has(kind) ? '' : 'agents.kruise.io', resource: kind };
      if ((await can(client, principal, question)).state === 'allowed') {
        everywhere.add(kind);
        return;
      }
      if (clusterScoped.has(kind)) return;
      const allowed = new Set<string>();
      somewhere.set(kind, allowed);
      await Promise.all(
        namespaces.map(async (namespace) => {
          if ((await can(client, principal, { ...question, namespace })).state === 'allowed') allowed.add(namespace);
        }),
      );
    }),
  );

  const maySee = (kind: RowKind, namespace?: string): boolean => {
    if (everywhere.has(kind)) return true;
    if (namespace === undefined) return false;
    if (kind !== 'namespaces') return somewhere.get(kind)?.has(namespace) ?? false;
    return rowKinds.some((k) => !clusterScoped.has(k) && (everywhere.has(k) || somewhere.get(k)?.has(namespace)));
  };
  return { maySee };
}
