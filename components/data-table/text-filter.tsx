'use client';

import type { RowData } from '@tanstack/react-table';
import { parseAsString, useQueryState } from 'nuqs';
import { FilterField } from '../common';
import { ColumnsMenu, HeldUpdates } from './table-tools';
import type { DataTableModel } from './use-data-table';

export interface TextFilter<Row> {
  text: string;
  set: (text: string | null) => void;
  /** What is looked for: a scope of the table. */
  wanted: string;
  /** Those that hold it. */
  rows: readonly Row[];
}

/** Rows whose text, in lower case, holds what the URL asks for. */
export function useTextFilter<Row>(all: readonly Row[], haystack: (row: Row) => string): TextFilter<Row> {
  const [text, setText] = useQueryState('q', parseAsString.withDefault(''));
  const wanted = text.trim().toLowerCase();
  const rows = wanted === '' ? all : all.filter((row) => haystack(row).includes(wanted));
  return { text, set: (next) => void setText(next), wanted, rows };
}

/** What stands on the right of the head of a list without facets. */
export function FilterTools<Row extends RowData>({
  table,
  filter,
  label,
}: {
  table: DataTableModel<Row>;
  filter: TextFilter<Row>;
  label: string;
}) {
  return (
    <>
      <HeldUpdates table={table} />
      <FilterField
        value={filter.text}
        onChange={(value) => filter.set(value || null)}
        placeholder={label}
        width={190}
      />
      <ColumnsMenu table={table} />
    </>
  );
}
