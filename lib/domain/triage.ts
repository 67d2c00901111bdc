import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark, MarkScope } from '@/lib/contracts/triage';

type Read = (row: SandboxRow) => string | undefined;

/** The value of a row that each field of a scope asks for. */
const fields: Record<Exclude<keyof MarkScope, 'ns'>, Read> = {
  uid: (row) => row.uid,
  pool: (row) => row.pool,
  state: (row) => row.state,
  cause: (row) => row.cause?.code,
  node: (row) => row.node,
  revision: (row) => row.hash,
  image: (row) => row.cause?.image,
};
const names = Object.keys(fields) as (keyof typeof fields)[];

/** Whether a mark of this scope is about the row: it has every value that is given, and none where the empty text is given. */
export function covers(scope: MarkScope, row: SandboxRow): boolean {
  if (scope.ns !== row.ns) return false;
  return names.every((name) => scope[name] === undefined || scope[name] === (fields[name](row) ?? ''));
}

/** A snooze that is over is as if nothing had been said. `now`: epoch ms. */
export const inForce = ({ until }: Mark, now: number): boolean => until === undefined || until > now;

export function sameScope(a: MarkScope, b: MarkScope): boolean {
  return a.ns === b.ns && names.every((name) => a[name] === b[name]);
}

/** What was said of exactly this scope, also when it is over: a change has to name its version. */
export const markOn = (marks: readonly Mark[], scope: MarkScope): Mark | undefined =>
  marks.find((mark) => sameScope(mark.scope, scope));

/** A word on one sandbox counts before one on a cohort, a narrower cohort before a wider one, then the newer. */
function closerFirst(a: Mark, b: Mark): number {
  return narrowness(b.scope) - narrowness(a.scope) || b.at - a.at || (a.id < b.id ? -1 : 1);
}

const narrowness = (scope: MarkScope): number =>
  scope.uid === undefined ? names.filter((name) => scope[name] !== undefined).length : Number.MAX_SAFE_INTEGER;

/** Gives for a row the one word that counts now. Made once for many rows. */
export function markLookup(marks: readonly Mark[], now: number): (row: SandboxRow) => Mark | undefined {
  const byNamespace = new Map<string, Mark[]>();
  for (const mark of marks.filter((each) => inForce(each, now)).sort(closerFirst)) {
    const known = byNamespace.get(mark.scope.ns);
    if (known) known.push(mark);
    else byNamespace.set(mark.scope.ns, [mark]);
  }
  return (row) => byNamespace.get(row.ns)?.find(({ scope }) => covers(scope, row));
}

/** Who has spoken for rows, and for how many of them, the most first. */
export function spokenFor(
  rows: readonly SandboxRow[],
  markOf: (row: SandboxRow) => Mark | undefined,
): { mark: Mark; count: number }[] {
  const counts = new Map<Mark, number>();
  for (const row of rows) {
    const mark = markOf(row);
    if (mark) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return [...counts].map(([mark, count]) => ({ mark, count })).sort((a, b) => b.count - a.count);
}
