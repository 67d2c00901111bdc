import type { SortValue } from './columns';

const texts = new Intl.Collator('en', { numeric: true });

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return texts.compare(String(a), String(b));
}

/**
 * Rows by a value, those without one last in both directions, equals by id so that the order never depends
 * on how rows arrived.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  desc: boolean,
  idOf: (row: Row) => string,
): Row[] {
  const sign = desc ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: valueOf(row), id: idOf(row) }));
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined) {
      if (a.value !== b.value) return a.value === undefined ? 1 : -1;
    } else {
      const by = compareValues(a.value, b.value);
      if (by !== 0) return sign * by;
    }
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
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
