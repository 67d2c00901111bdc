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

/** Marks whose scopes give the same fields, by the values they give. */
interface Shape {
  reads: Read[];
  byValues: Map<string, Mark[]>;
}

/**
 * Gives for a row the marks that are about it: it has every value that a scope gives, and none where the empty text is given.
 * Made once for many rows: each costs a look for every shape that scopes have, however many marks there are.
 */
export function coverage(marks: readonly Mark[]): (row: SandboxRow) => Mark[] {
  const byNamespace = new Map<string, Map<string, Shape>>();
  for (const mark of marks) {
    const { scope } = mark;
    const given = names.filter((name) => scope[name] !== undefined);
    const shapes = known(byNamespace, scope.ns, () => new Map<string, Shape>());
    const reads = given.map((name) => fields[name]);
    const { byValues } = known(shapes, given.join(), () => ({ reads, byValues: new Map() }));
    known(byValues, textOf(given.map((name) => scope[name])), (): Mark[] => []).push(mark);
  }
  return (row) => {
    const shapes = byNamespace.get(row.ns);
    if (!shapes) return [];
    return [...shapes.values()].flatMap(
      ({ reads, byValues }) => byValues.get(textOf(reads.map((read) => read(row)))) ?? [],
    );
  };
}

/** Values of objects are of one line. */
const textOf = (values: readonly (string | undefined)[]): string => values.join('\n');

function known<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
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
  const covering = coverage(marks.filter((each) => inForce(each, now)));
  return (row) => covering(row).sort(closerFirst)[0];
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
