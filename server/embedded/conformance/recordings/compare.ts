import { compared } from './counts';
import type { Life } from './lives';
import type { Difference } from './types';

/** Objects of one name side by side: equal ones first, then those that differ least. */
export function compareLives(recording: string, recorded: Life[], seen: Life[]): Difference[] {
  const result: Difference[] = [];
  const left = groupBy(recorded);
  const right = groupBy(seen);
  for (const object of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [[...(left.get(object) ?? [])], [...(right.get(object) ?? [])]];
    for (const [one, other] of pairs(a, b))
      result.push(...differ(one, other).map((difference) => ({ recording, object, ...difference })));
  }
  return result;
}

export const countFacts = (lives: Life[]): number =>
  lives.reduce(
    (sum, { sequences }) => sum + [...sequences.values()].reduce((size, { values }) => size + values.length, 0),
    0,
  );

function groupBy(lives: Life[]): Map<string, Life[]> {
  const groups = new Map<string, Life[]>();
  for (const life of lives) groups.set(life.object, [...(groups.get(life.object) ?? []), life]);
  return groups;
}

function pairs(a: Life[], b: Life[]): [Life | undefined, Life | undefined][] {
  const scored = a
    .flatMap((one) => b.map((other) => ({ one, other, score: distance(one, other) })))
    .sort((x, y) => x.score - y.score);
  const result: [Life | undefined, Life | undefined][] = [];
  const used = new Set<Life>();
  for (const { one, other } of scored) {
    if (used.has(one) || used.has(other)) continue;
    used.add(one).add(other);
    result.push([one, other]);
  }
  for (const one of a) if (!used.has(one)) result.push([one, undefined]);
  for (const other of b) if (!used.has(other)) result.push([undefined, other]);
  return result;
}

const distance = (a: Life, b: Life): number =>
  differ(a, b).reduce((sum, { recorded, seen }) => sum + 1 + recorded.length + seen.length, 0);

type FactDifference = Pick<Difference, 'fact' | 'recorded' | 'seen'>;

function differ(a: Life | undefined, b: Life | undefined): FactDifference[] {
  const names = new Set([...(a?.sequences.keys() ?? []), ...(b?.sequences.keys() ?? [])]);
  return [...names].sort().flatMap((fact) => {
    const recorded = compared(fact, a?.sequences.get(fact)?.values ?? []);
    const { values, settled } = b?.sequences.get(fact) ?? { values: [], settled: 0 };
    // What came after the recording's end may be needed for being slower, and is not held against the run.
    for (let length = settled; length <= values.length; length += 1)
      if (same(recorded, compared(fact, values.slice(0, length)))) return [];
    return [{ fact, ...withoutCommonEnds(recorded, compared(fact, values)) }];
  });
}

const same = (a: string[], b: string[]): boolean => a.length === b.length && a.every((one, i) => one === b[i]);

/** Only where two sequences part and until they meet again. */
function withoutCommonEnds(a: string[], b: string[]): { recorded: string[]; seen: string[] } {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return { recorded: a.slice(start, a.length - end), seen: b.slice(start, b.length - end) };
}
