import type { ReactNode } from 'react';

export type SortValue = number | string | undefined;
export type Sort = { id: string; desc: boolean };

/** A column of a list. Define columns outside render or in a memo. */
export type DataColumn<Row> = {
  id: string;
  /** Translated head. */
  header: string;
  cell: (row: Row) => ReactNode;
  /** Least width in px; spare room is shared out in proportion. */
  width: number;
  /** `end` for numbers: head and cells are right-aligned. */
  align?: 'start' | 'end';
  /** 4 leaves first when there is little room, then 3, then 2; 1 (the default) stays. */
  priority?: 1 | 2 | 3 | 4;
  /** What to sort by; rows without a value come last. `now` is the server's clock, epoch ms. Absent: not sortable. */
  sort?: (row: Row, now: number) => SortValue;
  /** Orders rows that `sort` holds equal, before their ids do. */
  tie?: (row: Row) => SortValue;
  /** Of a sort that goes by something else than the cells show: by what, in a word for the head and whole for each direction. */
  order?: { by: string; descending: string; ascending: string };
  /** Direction of the first press on the head; `descending` for "most first". */
  sortFirst?: 'ascending' | 'descending';
  /** A change of this tints the cell for a second. Absent: never. */
  watch?: (row: Row) => unknown;
  /** Cannot be hidden: the name. */
  always?: boolean;
};

/** Below this much room, in px, a list gives up its boxes and what it can of its columns' widths. */
export const narrowBelow = 620;

/** Room in px below which columns of a priority leave. */
const leaveBelow = { 1: 0, 2: narrowBelow, 3: 920, 4: 1360 };

/** Which columns show: a person's own choice, else what fits. Width 0 is not measured yet. */
export function visibleColumns<Row>(
  columns: readonly DataColumn<Row>[],
  chosen: Readonly<Record<string, boolean>>,
  width: number,
): Record<string, boolean> {
  return Object.fromEntries(
    columns.map(({ id, always, priority = 1 }) => {
      const fits = width === 0 || width >= leaveBelow[priority];
      return [id, always || (chosen[id] ?? fits)];
    }),
  );
}
