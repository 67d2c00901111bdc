import type { SortValue } from './columns';

const seen = new Map<string, string>();
const seenMost = 100_000;

/**
 * Text as it is compared: case does not count, and numbers inside count as numbers (`worker-9` before
 * `worker-10`). Remembered, since lists of thousands are sorted several times a second.
 */
function comparable(value: SortValue): SortValue {
  if (typeof value !== 'string') return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const text = value.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(15, '0'));
  if (seen.size >= seenMost) seen.clear();
  seen.set(value, text);
  return text;
}

function compareValues(a: string | number, b: string | number): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = String(a);
  const right = String(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Those without a value last in both directions. */
function compareIn(sign: 1 | -1, a: SortValue, b: SortValue): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return sign * compareValues(a, b);
}

/**
 * Rows by a value, those without one last in both directions, equals by `tie`, and last by id so that the order
 * never depends on how rows arrived.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortValue,
  desc: boolean,
  idOf: (row: Row) => string,
  tie: (row: Row) => SortValue = () => undefined,
): Row[] {
  const sign = desc ? -1 : 1;
  const keyed = rows.map((row) => {
    const value = comparable(by(row));
    return { row, value, tie: value === undefined ? undefined : comparable(tie(row)), id: idOf(row) };
  });
  keyed.sort((a, b) => {
    const order = compareIn(sign, a.value, b.value) || compareIn(sign, a.tie, b.tie);
    return order !== 0 ? order : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  });
  return keyed.map(({ row }) => row);
}

/** How many rows would come, go or move if the shown order gave way to the wanted one. Both are lists of ids. */
export function countHeld(shown: readonly string[], wanted: readonly string[]): number {
  const place = new Map(shown.map((id, index) => [id, index]));
  const kept: number[] = [];
  for (const id of wanted) {
    const at = place.get(id);
    if (at !== undefined) kept.push(at);
  }
  const added = wanted.length - kept.length;
  const removed = shown.length - kept.length;
  return added + removed + (kept.length - longestRising(kept));
}

/** Length of the longest rising subsequence: what can stay where it is. */
function longestRising(numbers: readonly number[]): number {
  const tails: number[] = [];
  for (const n of numbers) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? Number.POSITIVE_INFINITY) < n) low = middle + 1;
      else high = middle;
    }
    tails[low] = n;
  }
  return tails.length;
}
