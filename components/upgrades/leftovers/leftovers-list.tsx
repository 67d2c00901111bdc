'use client';

import { useMemo, useState } from 'react';
import { groupBy } from '@/lib/domain/group-by';
import type { Leftover } from '@/lib/domain/upgrades/leftovers';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, SafeText } from '../../common';
import { type DataColumn, DataTable, RowLink, type Sort, type TextFilter, useDataTable } from '../../data-table';
import { ClaimedBy } from '../../sandboxes/claimed-by';
import { sandboxPath } from '../../sandboxes/paths';
import { Button } from '../../ui';
import { CleanDialog } from './clean-dialog';
import { type CleanItem, cleanItem } from './use-cleaning';

const idOf = ({ row }: Leftover) => row.uid;
const nameOf = ({ row }: Leftover) => row.name;
const hrefOf = ({ row }: Leftover) => sandboxPath(row);
const byName: Sort = { id: 'name', desc: false };

/** What ended operations left on sandboxes, to be looked at and cleaned. */
export function LeftoversList({ all, filter }: { all: readonly Leftover[]; filter: TextFilter<Leftover> }) {
  const t = useTranslations('upgrades.leftovers');
  const columns = useColumns();
  const [sort, onSort] = useState(byName);
  const [cleaning, setCleaning] = useState<{ ns: string; items: CleanItem[] }>();
  const table = useDataTable({
    id: 'leftovers',
    rows: filter.rows,
    columns,
    getId: idOf,
    sort,
    onSort,
    scope: filter.wanted,
    selectable: true,
  });
  const chosen = table.ordered.filter((row) => table.selection.has(idOf(row)) && !table.gone.has(idOf(row)));
  // A telephone has no boxes: there it is all of a namespace or none.
  const groups = [...groupBy(table.selectable ? chosen : filter.rows, ({ row }) => row.ns)];
  const buttons = groups.map(([ns, left]) => (
    <Button key={ns} onClick={() => setCleaning({ ns, items: left.map(cleanItem) })}>
      {groups.length > 1 ? t('cleanIn', { count: left.length, ns }) : t('cleanChosen', { count: left.length })}
    </Button>
  ));
  return (
    <>
      <p className="up-notes px-[var(--gutter)] pb-2">{t('text')}</p>
      {!table.selectable && groups.length > 0 ? (
        <p className="row flex-wrap px-[var(--gutter)] pb-2">{buttons}</p>
      ) : null}
      <DataTable
        table={table}
        kind="sandboxes"
        label={t('title')}
        nameOf={nameOf}
        hrefOf={hrefOf}
        bar={
          chosen.length > 0 ? (
            <section className="over-head" aria-label={t('chosen')}>
              <b className="b">{t('chosenCount', { count: chosen.length })}</b>
              {buttons}
            </section>
          ) : undefined
        }
        empty={
          all.length > 0 ? (
            <FilteredEmpty total={all.length} onClear={() => filter.set(null)} />
          ) : (
            <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
          )
        }
        footer={t('footer')}
      />
      {cleaning ? <CleanDialog {...cleaning} onClose={() => setCleaning(undefined)} /> : null}
    </>
  );
}

function useColumns(): DataColumn<Leftover>[] {
  const t = useTranslations('upgrades.leftovers');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.sandbox'),
        width: 170,
        always: true,
        cell: ({ row }) => <RowLink href={sandboxPath(row)} name={row.name} mono />,
        sort: ({ row }) => row.name,
      },
      {
        id: 'ns',
        header: t('column.namespace'),
        width: 160,
        priority: 2,
        cell: ({ row }) => row.ns,
        sort: ({ row }) => row.ns,
      },
      {
        id: 'session',
        header: t('column.session'),
        width: 110,
        priority: 3,
        cell: ({ row }) => <ClaimedBy row={row} />,
        sort: ({ row }) => row.owner ?? row.claimName,
      },
      {
        id: 'left',
        header: t('column.left'),
        width: 190,
        cell: ({ kinds, row }) => (
          <>
            {kinds.includes('upgradePolicy') ? (
              <>
                {t('kind.upgradePolicy')}{' '}
                <span className="dim">
                  <SafeText text={row.policy ?? ''} />
                </span>
                {kinds.length > 1 ? ', ' : null}
              </>
            ) : null}
            {kinds.includes('failedLabel') ? t('kind.failedLabel') : null}
          </>
        ),
        sort: ({ kinds }) => kinds.join(),
      },
      {
        id: 'means',
        header: t('column.means'),
        width: 420,
        priority: 3,
        cell: ({ kinds }) => {
          const means = kinds.map((kind) => t(`means.${kind}`)).join(' ');
          return (
            <span className="mut" title={means}>
              {means}
            </span>
          );
        },
      },
    ],
    [t],
  );
}
