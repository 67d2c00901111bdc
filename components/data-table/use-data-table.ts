'use client';

import type { RowData } from '@tanstack/react-table';
import { useCallback, useMemo, useState } from 'react';
import { useNow } from '@/lib/live';
import { useColumnChoice } from './column-choice';
import { type DataColumn, narrowBelow, type Sort, visibleColumns } from './columns';
import { countHeld, sortRows } from './order';

export type DataTableOptions<Row extends RowData> = {
  /** Names the table in this browser's storage. */
  id: string;
  /** All rows that pass the filters, in any order. */
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  getId: (row: Row) => string;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Changes when the filters do: what the person asked for is shown at once, also while the order is held. */
  scope?: string;
  /** Rows can be chosen with a box and with `x`. */
  selectable?: boolean;
};

type Frozen<Row> = { key: string; ids: readonly string[]; rows: ReadonlyMap<string, Row> };

export type DataTableModel<Row extends RowData> = ReturnType<typeof useDataTable<Row>>;

/**
 * State of a list that does not jump: while a pointer or the focus is inside, or a row is chosen, rows keep
 * their places and their values still change. What waits is counted, and comes with {@link apply}.
 */
export function useDataTable<Row extends RowData>(options: DataTableOptions<Row>) {
  const { id, rows, columns, getId, sort, onSort, scope = '', selectable = false } = options;
  const now = useNow();
  const [choice, setChoice] = useColumnChoice(id);
  const [width, setWidth] = useState(0);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [inside, setInside] = useState({ pointer: false, focus: false });
  const [frozen, setFrozen] = useState<Frozen<Row> | null>(null);

  const sorted = useMemo(() => {
    const column = columns.find((candidate) => candidate.id === sort.id);
    const by = column?.sort;
    return sortRows(rows, by ? (row) => by(row, now) : () => undefined, sort.desc, getId, column?.tie);
  }, [rows, columns, sort.id, sort.desc, getId, now]);

  const freeze = useCallback(
    (key: string): Frozen<Row> => ({
      key,
      ids: sorted.map(getId),
      rows: new Map(sorted.map((row) => [getId(row), row])),
    }),
    [getId, sorted],
  );

  // Adjusted while rendering, as React wants it: no frame is painted with the wrong order.
  const key = `${scope}\n${sort.id}\n${sort.desc}`;
  const chosen = useMemo(() => {
    if (selection.size === 0) return selection;
    const present = new Set(sorted.map(getId));
    return new Set([...selection].filter((rowId) => present.has(rowId)));
  }, [getId, selection, sorted]);
  const hold = (inside.pointer || inside.focus || chosen.size > 0) && sorted.length > 0;
  if (hold && frozen?.key !== key) setFrozen(freeze(key));
  if (!hold && frozen !== null) setFrozen(null);

  const shown = useMemo(() => {
    if (!frozen) return { rows: sorted, gone: new Set<string>(), held: 0 };
    const byId = new Map(sorted.map((row) => [getId(row), row]));
    const gone = new Set<string>();
    const kept: Row[] = [];
    for (const rowId of frozen.ids) {
      const row = byId.get(rowId) ?? frozen.rows.get(rowId);
      if (row === undefined) continue;
      if (!byId.has(rowId)) gone.add(rowId);
      kept.push(row);
    }
    return { rows: kept, gone, held: countHeld(frozen.ids, sorted.map(getId)) };
  }, [frozen, getId, sorted]);

  const apply = useCallback(() => setFrozen((before) => before && freeze(before.key)), [freeze]);

  const select = useCallback((rowIds: readonly string[], on: boolean) => {
    setSelection((before) => {
      const next = new Set(before);
      for (const rowId of rowIds) {
        if (on) next.add(rowId);
        else next.delete(rowId);
      }
      return next;
    });
  }, []);

  const toggleSort = useCallback(
    (column: DataColumn<Row>) => {
      const first = column.sortFirst === 'descending';
      onSort({ id: column.id, desc: sort.id === column.id ? !sort.desc : first });
    },
    [onSort, sort.desc, sort.id],
  );

  const narrow = width > 0 && width < narrowBelow;
  const visible = useMemo(() => visibleColumns(columns, choice, width), [choice, columns, width]);

  return {
    columns,
    getId,
    sort,
    toggleSort,
    /** Rows in the order shown; `gone` were deleted while the order was held. */
    ordered: shown.rows,
    gone: shown.gone,
    held: shown.held,
    apply,
    narrow,
    selectable: selectable && !narrow,
    /** Ids that are chosen and still there. */
    selection: chosen,
    select,
    setInside,
    setWidth,
    visible,
    choice,
    setChoice,
  };
}
