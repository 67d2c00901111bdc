'use client';

import { Fragment, useMemo, useState } from 'react';
import { leftoverKinds } from '@/lib/contracts/upgrade-leftovers';
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
/** Buttons for more namespaces than this are no help. */
const shownGroups = 4;
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
  const kinds = leftoverKinds.filter((kind) => all.some((left) => left.kinds.includes(kind)));
  // Nobody has chosen, or cannot, as a telephone has no boxes: then it is all of a namespace.
  const groups = [...groupBy(chosen.length > 0 ? chosen : filter.rows, ({ row }) => row.ns)];
  const word = chosen.length > 0 ? 'cleanChosen' : 'cleanAll';
  const buttons = (
    <>
      {groups.slice(0, shownGroups).map(([ns, left]) => (
        <Button key={ns} onClick={() => setCleaning({ ns, items: left.map(cleanItem) })}>
          {t(groups.length > 1 ? 'cleanIn' : word, { count: left.length, ns })}
        </Button>
      ))}
      {groups.length > shownGroups ? (
        <span className="sm mut">{t('more', { count: groups.length - shownGroups })}</span>
      ) : null}
    </>
  );
  return (
    <>
      <div className="up-notes px-[var(--gutter)] pb-2">
        <p>{t('text')}</p>
        <dl className="up-kinds">
          {kinds.map((kind) => (
            <div key={kind}>
              <dt>{t(`kind.${kind}`)}</dt>
              <dd>{t(`means.${kind}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {chosen.length === 0 && groups.length > 0 ? (
        <p className="row flex-wrap px-[var(--gutter)] pb-2">
          {table.selectable ? <span className="mut">{t('choose')}</span> : null}
          {buttons}
        </p>
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
        width: 280,
        cell: ({ kinds, row }) =>
          kinds.map((kind, index) => (
            <Fragment key={kind}>
              {index > 0 ? ', ' : null}
              {t(`kind.${kind}`)}
              {kind === 'upgradePolicy' ? (
                <span className="dim">
                  {' '}
                  <SafeText text={row.policy ?? ''} />
                </span>
              ) : null}
            </Fragment>
          )),
        sort: ({ kinds }) => kinds.join(),
      },
    ],
    [t],
  );
}
