import type { Difference } from './types';

/** What came up, in that order, each with its second. */
export interface Sequence<T> {
  values: T[];
  at: number[];
}

/** When a recording ended, in seconds, and for how long nothing had come by then. */
export interface End {
  at: number;
  quiet: number;
}

export type Apart = Pick<Difference, 'recorded' | 'seen'>;
type Compare<T> = (recorded: T[], seen: T[]) => Apart;

const isEmpty = ({ recorded, seen }: Apart): boolean => recorded.length === 0 && seen.length === 0;

/** How many of the seen values make up the recorded ones: the fewest, but all that came by then. Undefined when none do. */
function enough<T>(recorded: T[], { values, at }: Sequence<T>, by: number, compare: Compare<T>): number | undefined {
  const settled = at.filter((t) => t <= by).length;
  for (let length = settled; length <= values.length; length += 1)
    if (isEmpty(compare(recorded, values.slice(0, length)))) return length;
  return undefined;
}

/** Sequences of one object by name, in the recording and in the run, and how they are compared. */
export class Sequences<T> {
  constructor(
    private readonly recorded: Map<string, Sequence<T>> | undefined,
    private readonly seen: Map<string, Sequence<T>> | undefined,
    private readonly compare: Compare<T>,
  ) {}

  /** What differs. What came later than `settled` seconds may, but need not, have been recorded. */
  differences(settled: number): (Apart & Pick<Difference, 'fact'>)[] {
    return this.all().flatMap(({ fact, recorded, seen }) =>
      enough(recorded, seen, settled, this.compare) === undefined
        ? [{ fact, ...this.compare(recorded, seen.values) }]
        : [],
    );
  }

  /** The second at which the run had shown all that was recorded; undefined when it never did. */
  done(): number | undefined {
    const ends = this.all().map(({ recorded, seen }) => {
      const length = enough(recorded, seen, Number.NEGATIVE_INFINITY, this.compare);
      return length === undefined ? undefined : (seen.at[length - 1] ?? Number.NEGATIVE_INFINITY);
    });
    return ends.every((end) => end !== undefined) ? Math.max(...ends) : undefined;
  }

  private all() {
    const names = new Set([...(this.recorded?.keys() ?? []), ...(this.seen?.keys() ?? [])]);
    return [...names].sort().map((fact) => ({
      fact,
      recorded: this.recorded?.get(fact)?.values ?? [],
      seen: this.seen?.get(fact) ?? { values: [], at: [] },
    }));
  }
}

/** Only where two sequences part and until they meet again. */
export const inOrder =
  <T>(compared: (values: T[]) => string[]): Compare<T> =>
  (recorded, seen) => {
    const [a, b] = [compared(recorded), compared(seen)];
    let start = 0;
    while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
    let end = 0;
    while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
    return { recorded: a.slice(start, a.length - end), seen: b.slice(start, b.length - end) };
  };
