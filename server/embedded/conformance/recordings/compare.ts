import { comparedCounts } from './counts';
import type { Life } from './lives';
import { type Apart, type End, inOrder, Sequences } from './sequences';
import { comparedTellings, timesApart } from './tellings';
import type { Difference } from './types';

type Pair = [recorded: Life | undefined, seen: Life | undefined];

/**
 * Objects of one name side by side: equal ones first, then those that differ least, and of those the ones of the same time. What the
 * run shows after the recording's end is not held against it; a run that was faster reaches that end sooner, as soon as it has
 * shown all that was recorded.
 */
export function compareLives(
  recording: string,
  recorded: Life[],
  seen: Life[],
  end: End = { at: Number.POSITIVE_INFINITY, quiet: 0 },
): Difference[] {
  const left = groupBy(recorded);
  const right = groupBy(seen);
  const all = [...new Set([...left.keys(), ...right.keys()])].flatMap((object) =>
    pairs(left.get(object) ?? [], right.get(object) ?? [], end.at).map((pair) => ({ object, pair })),
  );
  const done = all.flatMap(({ pair }) => sequences(pair).map((one) => one.done() ?? Number.POSITIVE_INFINITY));
  const settled = Math.min(end.at, Math.max(...done) + end.quiet);
  return all.flatMap(({ object, pair }) =>
    differ(pair, settled).map((difference) => ({ recording, object, ...difference })),
  );
}

export const countFacts = (lives: Life[]): number =>
  lives.reduce(
    (sum, { facts, counts, tellings }) =>
      sum +
      [...facts.values(), ...counts.values(), ...tellings.values()].reduce((n, { values }) => n + values.length, 0),
    0,
  );

function groupBy(lives: Life[]): Map<string, Life[]> {
  const groups = new Map<string, Life[]>();
  for (const life of lives) groups.set(life.object, [...(groups.get(life.object) ?? []), life]);
  return groups;
}

function pairs(a: Life[], b: Life[], settled: number): Pair[] {
  const distance = (pair: Pair): number =>
    differ(pair, settled).reduce((sum, { recorded, seen }) => sum + 1 + recorded.length + seen.length, 0);
  const scored = a
    .flatMap((one) => b.map((other) => ({ one, other, score: distance([one, other]), apart: apart(one, other) })))
    .sort((x, y) => x.score - y.score || x.apart - y.apart);
  const result: Pair[] = [];
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

/** By how many seconds two objects came and changed last at another time. */
function apart(a: Life, b: Life): number {
  const times = ({ facts }: Life) => facts.get('life')?.at ?? [];
  const [one, other] = [times(a), times(b)];
  return Math.abs((one[0] ?? 0) - (other[0] ?? 0)) + Math.abs((one.at(-1) ?? 0) - (other.at(-1) ?? 0));
}

const sequences = ([a, b]: Pair) => [
  new Sequences(
    a?.facts,
    b?.facts,
    inOrder((lines) => lines),
  ),
  new Sequences(a?.counts, b?.counts, inOrder(comparedCounts)),
  new Sequences(a?.tellings, b?.tellings, inOrder(comparedTellings)),
  new Sequences(a?.tellings, b?.tellings, timesApart),
];

const differ = (pair: Pair, settled: number): (Apart & Pick<Difference, 'fact'>)[] =>
  sequences(pair).flatMap((one) => one.differences(settled));
