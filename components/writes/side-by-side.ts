import { lineDiff } from '@/lib/domain/line-diff';

export type SideRow =
  | { kind: 'lines'; left?: string; right?: string; changed: boolean }
  /** Equal lines that are left out. */
  | { kind: 'gap'; count: number };

const context = 3;

/** Two texts as rows of two columns: changed lines beside each other, three equal lines around them. */
export function sideBySide(before: string, after: string): SideRow[] {
  const rows: Extract<SideRow, { kind: 'lines' }>[] = [];
  let open = 0;
  for (const line of lineDiff(before, after)) {
    if (line.kind === 'same') {
      rows.push({ kind: 'lines', left: line.text, right: line.text, changed: false });
      open = rows.length;
    } else if (line.kind === 'removed') {
      rows.push({ kind: 'lines', left: line.text, changed: true });
    } else {
      // An added line stands beside the next removed one that has nothing beside it yet.
      const free = rows.findIndex((row, i) => i >= open && row.changed && row.right === undefined);
      const row = rows[free];
      if (row) rows[free] = { ...row, right: line.text };
      else rows.push({ kind: 'lines', right: line.text, changed: true });
    }
  }
  const near = (i: number) => rows.slice(Math.max(0, i - context), i + context + 1).some((row) => row.changed);
  const shown: SideRow[] = [];
  for (const [i, row] of rows.entries()) {
    const last = shown.at(-1);
    if (near(i)) shown.push(row);
    else if (last?.kind === 'gap') last.count++;
    else shown.push({ kind: 'gap', count: 1 });
  }
  return shown;
}
