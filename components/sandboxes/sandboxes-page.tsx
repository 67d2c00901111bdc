'use client';

import clsx from 'clsx';
import { Download } from 'lucide-react';
import {
  EmptyState,
  FacetRail,
  FacetSheet,
  FilteredEmpty,
  FilterField,
  PageHead,
  Peek,
  useListState,
} from '@/components/common';
import { ColumnsMenu, DataTable, HeldUpdates, useDataTable, useSortParam } from '@/components/data-table';
import { Button } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SandboxFacets } from './facets';
import { useOrderText } from './order-text';
import { rowId, sandboxPath } from './paths';
import { useSandboxColumns } from './sandbox-columns';
import { SandboxPeek } from './sandbox-peek';
import { parsePeek } from './search-params';
import { SelectionBar } from './selection-bar';
import { useKeptRow } from './use-kept-row';
import { useSandboxList } from './use-sandbox-list';
import { useSaveRows } from './use-save-rows';

const goneClass = (row: SandboxRow) => (row.state === 'Terminating' ? 'gone' : undefined);
const nameOf = (row: SandboxRow) => row.name;

/** Every sandbox of the scope: facets, list, and one of them beside it. */
export function SandboxesPage() {
  const t = useTranslations('sandboxes');
  const f = useFormats();
  const list = useSandboxList();
  const listState = useListState('sandboxes');
  const [sort, onSort] = useSortParam('-dwell');
  const many = (list.known.namespace.size ?? 0) > 1;
  const columns = useSandboxColumns(list.pools, many);
  const table = useDataTable({
    id: 'sandboxes',
    rows: list.rows,
    columns,
    getId: rowId,
    sort,
    onSort,
    scope: list.filterKey,
    selectable: true,
  });

  const wanted = parsePeek(list.search.peek);
  const kept = useKeptRow(wanted?.ns ?? '', wanted?.name ?? '');
  const peeked = wanted && kept.row;
  const nobody = wanted && !peeked && listState === 'ready' ? wanted : undefined;
  const at = peeked ? table.ordered.findIndex((row) => row.uid === peeked.uid) : -1;
  const step = (index: number) => {
    const row = table.ordered[index];
    return row && at >= 0 ? () => list.setPeek(`${row.ns}/${row.name}`, 'replace') : undefined;
  };

  const close = () => list.setPeek(null, 'push');

  const save = useSaveRows(list.context);
  // Asked of ten thousand rows with every change, so only when there is something to find.
  const chosen =
    table.selection.size === 0
      ? []
      : table.ordered.filter((row) => table.selection.has(rowId(row)) && !table.gone.has(rowId(row)));
  const overdue = (list.known.overdue.get('breach') ?? 0) + (list.known.overdue.get('warn') ?? 0);
  const order = useOrderText(columns, sort);
  const facets = <SandboxFacets known={list.known} counts={list.counts} search={list.search} onToggle={list.toggle} />;

  return (
    <>
      <PageHead
        title={t('title')}
        sub={
          listState === 'ready' ? (
            <>
              {f.number(list.all.length)}
              {overdue > 0 ? (
                <>
                  {' · '}
                  <span className="b text-breach-fg">{t('overdue', { count: overdue })}</span>
                </>
              ) : null}
            </>
          ) : undefined
        }
        actions={
          <>
            <HeldUpdates table={table} />
            <FacetSheet active={list.active}>{facets}</FacetSheet>
            <FilterField value={list.search.q} onChange={list.setText} placeholder={t('search')} />
            <ColumnsMenu table={table} />
            <Button icon={Download} className="hide-m" onClick={() => save(table.ordered)}>
              {t('export')}
            </Button>
          </>
        }
      />
      <div className={clsx('three', !peeked && !nobody && 'nopeek')}>
        <FacetRail>{facets}</FacetRail>
        <DataTable
          table={table}
          kind="sandboxes"
          label={t('title')}
          nameOf={nameOf}
          hrefOf={sandboxPath}
          onOpen={(row) => list.setPeek(`${row.ns}/${row.name}`, peeked ? 'replace' : 'push')}
          openId={peeked && rowId(peeked)}
          rowClass={goneClass}
          bar={
            chosen.length > 0 ? (
              <SelectionBar
                rows={chosen}
                onExport={() => save(chosen)}
                onClear={() => table.select([...table.selection], false)}
              />
            ) : undefined
          }
          empty={
            list.active > 0 && list.all.length > 0 ? (
              <FilteredEmpty total={list.all.length} onClear={list.clear} />
            ) : (
              <EmptyState title={t('empty.title')} command="kubectl apply -f pool.yaml">
                {t('empty.text')}
              </EmptyState>
            )
          }
          footer={t('footer', {
            shown: table.ordered.length,
            total: list.all.length,
            order,
          })}
        />
        {peeked ? (
          <SandboxPeek
            key={peeked.uid}
            kept={kept}
            row={peeked}
            pools={list.pools}
            onPrevious={step(at - 1)}
            onNext={step(at + 1)}
            onClose={close}
          />
        ) : null}
        {nobody ? (
          <Peek name={nobody.name} href={sandboxPath(nobody)} onClose={close}>
            <p className="psec mut">{t('peek.missing')}</p>
          </Peek>
        ) : null}
      </div>
    </>
  );
}
