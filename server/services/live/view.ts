import 'server-only';
import { rowKinds } from '@/lib/contracts/rows';
import type { Principal } from '@/server/access/principal';
import type { Scope } from '@/server/access/scope';
import type { View } from '@/server/live/hub';

export interface ViewQuestion {
  principal: Principal;
  /** Namespaces that were asked for; undefined means all that the person may see. */
  namespaces: readonly string[] | undefined;
  /** What the person may list. Not asked for the console's own identity, which sees what the console sees. */
  scope(): Promise<Scope>;
  /** Namespaces that exist. */
  known(): readonly string[];
  /** Whether the API server is there to be asked. Silence takes no rights away. */
  answers(): boolean;
}

/** The rows a person gets: of the namespaces asked for, and of nodes and namespaces all, as far as rights go. */
export async function viewOf(question: ViewQuestion): Promise<View & { empty: boolean }> {
  const { principal, namespaces } = question;
  const asked = namespaces && new Set(namespaces);
  const inScope: View['sees'] = (kind, namespace) =>
    asked === undefined || kind === 'nodes' || kind === 'namespaces' || asked.has(namespace);
  const wanted = asked ? [...asked].sort().join(',') : '*';
  if (!principal.impersonate) return { key: wanted, sees: inScope, empty: false };

  const scope = await question.scope();
  const rights = rowKinds.map((kind) => question.known().filter((namespace) => scope.maySee(kind, namespace)));
  return {
    // Rights are part of the key: people with the same ones share a group, and a change of rights shows.
    key: `${wanted} ${JSON.stringify(rights)}`,
    sees: (kind, namespace) => inScope(kind, namespace) && scope.maySee(kind, namespace),
    empty: rights.every((of) => of.length === 0),
  };
}
