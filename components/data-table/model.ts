import { type ColumnDef, columnVisibilityFeature, type RowData, tableFeatures } from '@tanstack/react-table';
import type { DataColumn } from './columns';

export const modelFeatures = tableFeatures({ columnVisibilityFeature });
export type TableModelFeatures = typeof modelFeatures;

/** Columns as the table model wants them. Sorting and holding happen before, over all rows. */
export function modelColumns<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
): ColumnDef<TableModelFeatures, Row>[] {
  return columns.map((column) => ({
    id: column.id,
    header: column.header,
    cell: ({ row }) => column.cell(row.original),
  }));
}
