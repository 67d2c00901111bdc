export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  /** 1-based line numbers on the side(s) where the line stands. */
  left?: number;
  right?: number;
}

/** Lines of two texts, longest common subsequence; removed lines before the added ones that take their place. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;

  const lines: DiffLine[] = [];
  const same = (i: number, j: number) => lines.push({ kind: 'same', text: a[i] ?? '', left: i + 1, right: j + 1 });
  for (let i = 0; i < start; i++) same(i, i);
  let i = start;
  let j = start;
  const common = commonLengths(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const length = (x: number, y: number) => common[x - start]?.[y - start] ?? 0;
  while (i < a.length - end || j < b.length - end) {
    if (i < a.length - end && j < b.length - end && a[i] === b[j]) same(i++, j++);
    else if (j >= b.length - end || (i < a.length - end && length(i + 1, j) >= length(i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i] ?? '', left: ++i });
    } else {
      lines.push({ kind: 'added', text: b[j] ?? '', right: ++j });
    }
  }
  for (; i < a.length; i++, j++) same(i, j);
  return lines;
}

/** common[i][j]: length of the longest common subsequence of a from i and b from j. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i];
      if (!row) continue;
      row[j] = a[i] === b[j] ? (common[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(common[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return common;
}
