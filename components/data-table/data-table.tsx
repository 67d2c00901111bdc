'use client';

import { type RowData, useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RowKind } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveState } from '@/lib/live';
import { StaleBanner } from '../common/freshness';
import { ListTrouble, useListState } from '../common/list-states';
import type { DataColumn } from './columns';
import { SkeletonRows, Spacer } from './filler-rows';
import { modelColumns, modelFeatures } from './model';
import { TableHead } from './table-head';
import { TableRow } from './table-row';
import type { DataTableModel } from './use-data-table';
import { useRowHeight } from './use-row-height';
import { useRowPress } from './use-row-press';
import { useTableKeys } from './use-table-keys';

export type DataTableProps<Row extends RowData> = {
  table: DataTableModel<Row>;
  /** Whose list it is: decides between first load, forbidden, failed and missing. */
  kind: RowKind;
  label: string;
  /** The row as a person would call it, for screen readers. */
  nameOf: (row: Row) => string;
  hrefOf: (row: Row) => string;
  /** Opens the row beside the list; without it a press goes to the page. */
  onOpen?: (row: Row) => void;
  /** Id of the row that is open beside the list. */
  openId?: string | undefined;
  /** Shown instead of rows when there are none: empty or filtered-empty, the page knows which. */
  empty: ReactNode;
  footer?: ReactNode;
  /** Rows of two lines. */
  twoLines?: boolean;
  rowClass?: (row: Row) => string | undefined;
  /** Keys of the whole page belong to another list on it; this one takes them when the focus is inside. */
  quietKeys?: boolean;
  /** The page itself says that its rows are no longer current. */
  noBanner?: boolean;
  /** What can be done with the chosen rows, in place of the head row, so that ticking a box moves nothing. */
  bar?: ReactNode;
};

/** What is left of the width of all columns but the first where there is little room. */
const narrowShare = 0.84;

/** The one list. Draws only the rows in sight, fills the height it is given, scrolls inside itself. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { table, kind, label, hrefOf, onOpen, openId, twoLines = false } = props;
  const t = useTranslations('common.table');
  const router = useRouter();
  const state = useListState(kind);
  const stale = useLiveState() === 'reconnecting';
  const scroller = useRef<HTMLDivElement>(null);
  const { row: rowHeight, head: headHeight } = useRowHeight(scroller, twoLines);
  const [activeId, setActiveId] = useState<string>();
  const { ordered, getId, setWidth, setInside, select } = table;

  const active = useMemo(
    () => (activeId === undefined ? -1 : ordered.findIndex((row) => getId(row) === activeId)),
    [activeId, getId, ordered],
  );

  // External system: the size of this element.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      setWidth(element.clientWidth);
      // The fade at the edge says that columns continue; set directly, as it changes while scrolling.
      const more = element.scrollWidth - element.clientWidth - element.scrollLeft > 1;
      element.parentElement?.toggleAttribute('data-more', more);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [setWidth]);

  const virtual = useVirtualizer({
    count: ordered.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    // The active row stays mounted, so that the focus does not fall out of the list.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return active < 0 || indexes.includes(active) ? indexes : [...indexes, active].sort((a, b) => a - b);
    },
  });
  // Row height follows density and pointer; what was measured before no longer holds.
  useEffect(() => {
    if (rowHeight > 0) virtual.measure();
  }, [rowHeight, virtual]);

  const items = virtual.getVirtualItems();
  const inSight = useMemo(
    () => items.map((item) => ordered[item.index]).filter((row) => row !== undefined),
    [items, ordered],
  );
  const definitions = useMemo(() => modelColumns(table.columns), [table.columns]);
  const model = useTable({
    features: modelFeatures,
    columns: definitions,
    data: inSight,
    getRowId: getId,
    state: { columnVisibility: table.visible },
  });
  const columns = useMemo(
    () => table.columns.filter((column) => table.visible[column.id]),
    [table.columns, table.visible],
  );

  const focusNext = useRef<string>(undefined);
  const focusWanted = useCallback(() => {
    const wanted = focusNext.current;
    if (wanted === undefined) return;
    const element = scroller.current?.querySelector<HTMLElement>(`tr[data-row-id="${CSS.escape(wanted)}"]`);
    // A row that is gone must not take the focus when it comes back.
    if (!element && ordered.some((row) => getId(row) === wanted)) return;
    focusNext.current = undefined;
    element?.focus({ preventScroll: true });
  }, [getId, ordered]);
  const go = useCallback(
    (index: number) => {
      const row = ordered[index];
      if (row === undefined) return;
      const id = getId(row);
      setActiveId(id);
      virtual.scrollToIndex(index);
      focusNext.current = id;
      focusWanted();
    },
    [focusWanted, getId, ordered, virtual],
  );
  // A row out of sight is drawn first, and on a busy machine that takes its time.
  useLayoutEffect(focusWanted);
  const openPage = useCallback(
    (index: number, newTab: boolean) => {
      const row = ordered[index];
      if (row === undefined) return;
      if (newTab) window.open(hrefOf(row), '_blank', 'noopener');
      else router.push(hrefOf(row));
    },
    [hrefOf, ordered, router],
  );
  const open = (index: number) => {
    const row = ordered[index];
    if (row !== undefined) onOpen?.(row);
  };
  const onKeyDown = useTableKeys({
    container: scroller,
    count: ordered.length,
    active,
    pageSize: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2),
    go,
    toggle: table.selectable
      ? (index) => {
          const row = ordered[index];
          if (row !== undefined) select([getId(row)], !table.selection.has(getId(row)));
        }
      : undefined,
    open: onOpen ? open : undefined,
    openPage: (index) => openPage(index, false),
    quiet: props.quietKeys ?? false,
  });

  const onPress = useRowPress({
    indexOf: (id) => ordered.findIndex((row) => getId(row) === id),
    activate: setActiveId,
    open: onOpen ? open : undefined,
    openPage,
  });

  const rows = new Map(model.getRowModel().rows.map((row) => [row.id, row]));
  const first = items[0];
  const last = items.at(-1);
  const above = first ? first.start - headHeight : 0;
  const below = last ? virtual.getTotalSize() - (last.end - headHeight) : 0;
  const span = columns.length + (table.selectable ? 1 : 0);
  const widthOf = (column: DataColumn<Row>, index: number) =>
    column.width * (table.narrow && index > 0 ? narrowShare : 1);
  const least = columns.reduce((sum, column, index) => sum + widthOf(column, index), table.selectable ? 34 : 0);
  let previousEnd = first?.index ?? 0;
  // Tab comes into the list at the active row, or at the first that is in sight.
  const tabStop = active < 0 ? (virtual.range?.startIndex ?? first?.index) : active;

  return (
    <div className="dt">
      {props.noBanner ? null : <StaleBanner />}
      <div className="edge">
        {props.bar}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the pointer only holds the order; every action has its own control or key */}
        <div
          ref={scroller}
          className="dts"
          onPointerEnter={() => setInside((was) => ({ ...was, pointer: true }))}
          onPointerLeave={() => setInside((was) => ({ ...was, pointer: false }))}
          onFocus={({ target }) => {
            setInside((was) => (was.focus ? was : { ...was, focus: true }));
            // The row that has the focus stays drawn.
            if (target.dataset.rowId !== undefined) setActiveId(target.dataset.rowId);
          }}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setInside((was) => ({ ...was, focus: false }));
          }}
          onKeyDown={onKeyDown}
        >
          <table
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows can be moved through, chosen and opened: a grid is built on a table
            role="grid"
            aria-label={label}
            aria-rowcount={ordered.length + 1}
            aria-multiselectable={table.selectable || undefined}
            aria-busy={state === 'loading'}
            className={clsx('tbl', twoLines && 'two')}
            style={{ minWidth: least }}
            // A place for the focus whose own is gone, such as a deleted row's.
            tabIndex={-1}
          >
            <colgroup>
              {table.selectable ? <col className="pick-col" /> : null}
              {columns.map((column, index) => (
                <col key={column.id} style={{ width: widthOf(column, index) }} />
              ))}
            </colgroup>
            <TableHead table={table} columns={columns} covered={Boolean(props.bar)} />
            <tbody className={clsx(stale && 'dimmed')} onClickCapture={onPress} onAuxClick={onPress}>
              {state === 'loading' && ordered.length === 0 ? (
                <SkeletonRows columns={columns} selectable={table.selectable} />
              ) : null}
              {above > 0 ? <Spacer height={above} span={span} /> : null}
              {items.flatMap((item) => {
                const original = ordered[item.index];
                const id = original === undefined ? undefined : getId(original);
                const row = id === undefined ? undefined : rows.get(id);
                if (original === undefined || id === undefined || row === undefined) return [];
                const jump = item.index - previousEnd;
                previousEnd = item.index + 1;
                // One flat list: in a list of pairs a row would go by its place, and be made anew whenever the window moves.
                return [
                  jump > 0 ? <Spacer key={`before-${id}`} height={jump * rowHeight} span={span} /> : null,
                  <TableRow
                    key={id}
                    row={row}
                    columns={columns}
                    rowIndex={item.index + 1}
                    id={id}
                    name={props.nameOf(original)}
                    selectLabel={t('select', { name: props.nameOf(original) })}
                    selectable={table.selectable}
                    selected={table.selection.has(id)}
                    active={item.index === tabStop}
                    open={id === openId}
                    gone={table.gone.has(id)}
                    rowClass={props.rowClass?.(original)}
                    onSelect={select}
                  />,
                ];
              })}
              {below > 0 ? <Spacer height={below} span={span} /> : null}
            </tbody>
          </table>
          <ListTrouble kind={kind} />
          {state === 'ready' && ordered.length === 0 ? props.empty : null}
          {props.footer && ordered.length > 0 ? <div className="more">{props.footer}</div> : null}
        </div>
      </div>
    </div>
  );
}
