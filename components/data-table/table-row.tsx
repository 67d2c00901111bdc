'use client';

import { FlexRender, type Row as ModelRow, type RowData } from '@tanstack/react-table';
import clsx from 'clsx';
import { memo, useLayoutEffect, useRef } from 'react';
import { Checkbox } from '../ui/checkbox';
import type { DataColumn } from './columns';
import type { TableModelFeatures } from './model';

export type TableRowProps<Row extends RowData> = {
  row: ModelRow<TableModelFeatures, Row>;
  columns: readonly DataColumn<Row>[];
  rowClass: string | undefined;
  /** Its place in the whole list, from 1. */
  rowIndex: number;
  id: string;
  name: string;
  selectable: boolean;
  selected: boolean;
  active: boolean;
  open: boolean;
  gone: boolean;
  selectLabel: string;
  /** The same function every time, else every row is rendered again. */
  onSelect: (ids: readonly string[], on: boolean) => void;
};

/** Tints the cells whose watched value changed, for a second, unless motion is not wanted. */
function useTint<Row extends RowData>(row: Row, columns: readonly DataColumn<Row>[]) {
  const element = useRef<HTMLTableRowElement>(null);
  const before = useRef<Map<string, unknown> | null>(null);
  useLayoutEffect(() => {
    const values = new Map(columns.map((column) => [column.id, column.watch?.(row)]));
    const known = before.current;
    before.current = values;
    if (!known || !element.current?.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const cell of element.current.querySelectorAll<HTMLTableCellElement>('td[data-column]')) {
      const id = cell.dataset.column ?? '';
      if (!known.has(id) || known.get(id) === values.get(id)) continue;
      // A few steps: a smooth fade paints the list in every frame for as long as anything in it changes.
      cell.animate([{ backgroundColor: 'var(--accent-bg)' }, {}], { duration: 1000, easing: 'steps(4, jump-none)' });
    }
  }, [columns, row]);
  return element;
}

function TableRowBase<Row extends RowData>(props: TableRowProps<Row>) {
  const { row, columns, id, selectable, selected, active, open, gone } = props;
  const element = useTint(row.original, columns);
  return (
    <tr
      ref={element}
      data-row-id={id}
      aria-rowindex={props.rowIndex + 1}
      aria-selected={selectable ? selected : undefined}
      aria-current={open || undefined}
      tabIndex={active ? 0 : -1}
      className={clsx(gone && 'gone', props.rowClass)}
    >
      {selectable ? (
        <td className="pick-col">
          <Checkbox
            checked={selected}
            label={props.selectLabel}
            tabIndex={-1}
            onChange={(on) => props.onSelect([id], on)}
          />
        </td>
      ) : null}
      {row.getVisibleCells().map((cell, index) => {
        const column = columns[index];
        return (
          <td
            key={cell.column.id}
            data-column={cell.column.id}
            className={clsx(column?.align === 'end' && 'num', index === 0 && 'freeze')}
          >
            <FlexRender cell={cell} />
          </td>
        );
      })}
    </tr>
  );
}

/** Rendered again only when its row, its columns or its marks change: a stream touches few rows at a time. */
export const TableRow = memo(TableRowBase, (before, after) => {
  const { row: oldRow, ...old } = before;
  const { row: newRow, ...next } = after;
  if (oldRow.original !== newRow.original) return false;
  const entries = Object.entries(next) as [keyof typeof next, unknown][];
  return entries.every(([key, value]) => old[key] === value);
}) as typeof TableRowBase;
