export type { DataColumn, Sort, SortValue } from './columns';
export { DataTable, type DataTableProps } from './data-table';
export { RowLink } from './row-link';
export { ColumnsMenu, HeldUpdates } from './table-tools';
export { FilterTools, type TextFilter, useTextFilter } from './text-filter';
export { type DataTableModel, type DataTableOptions, useDataTable } from './use-data-table';
export { useSortParam } from './use-sort-param';
