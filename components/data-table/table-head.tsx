'use client';

import type { RowData } from '@tanstack/react-table';
import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Checkbox } from '../ui/checkbox';
import { Icon } from '../ui/icon';
import type { DataColumn } from './columns';
import type { DataTableModel } from './use-data-table';

/** The sticky head: names, sort, and the box that chooses all rows that pass the filters. */
export function TableHead<Row extends RowData>({
  table,
  columns,
  covered,
}: {
  table: DataTableModel<Row>;
  columns: readonly DataColumn<Row>[];
  /** Something stands over it: all but the box stays for screen readers alone. */
  covered: boolean;
}) {
  const t = useTranslations('common.table');
  const chosen = table.selection.size;
  const all = chosen > 0 && chosen >= table.ordered.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {table.selectable ? (
          <th scope="col" className="pick-col" aria-label={t('selectColumn')}>
            <Checkbox
              checked={all ? true : chosen > 0 ? 'mixed' : false}
              label={t('selectAll')}
              onChange={(on) => table.select(on ? table.ordered.map(table.getId) : [...table.selection], on)}
            />
          </th>
        ) : null}
        {columns.map((column, index) => {
          const sorted = column.id === table.sort.id && column.sort !== undefined;
          const direction = table.sort.desc ? 'descending' : 'ascending';
          const order = sorted ? column.order : undefined;
          return (
            <th
              key={column.id}
              scope="col"
              className={clsx(column.align === 'end' && 'num', index === 0 && 'freeze')}
              aria-sort={order ? 'other' : sorted ? direction : undefined}
              title={order?.[direction]}
            >
              {column.sort ? (
                <button type="button" tabIndex={covered ? -1 : undefined} onClick={() => table.toggleSort(column)}>
                  {column.header}
                  {order ? <span className="hide-m dim"> · {order.by}</span> : null}
                  {sorted ? <Icon icon={table.sort.desc ? ArrowDown : ArrowUp} /> : null}
                </button>
              ) : (
                column.header
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
