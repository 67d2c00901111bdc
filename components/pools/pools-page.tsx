'use client';

import { parseAsString, useQueryState } from 'nuqs';
import type { PoolView } from '@/lib/domain/pool-views';
import { poolKey } from '@/lib/domain/pools';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, FilterField, PageHead, StockKeys, useListState } from '../common';
import { ColumnsMenu, DataTable, HeldUpdates, useDataTable, useSortParam } from '../data-table';
import { objectHref } from '../shell/navigation';
import { usePoolColumns } from './pool-columns';
import { usePoolViews } from './use-pool-views';

/** Also decides between pools of the same rank, so they stand by name. */
const idOf = ({ pool }: PoolView) => poolKey(pool.ns, pool.name);
const nameOf = ({ pool }: PoolView) => pool.name;
const hrefOf = ({ pool }: PoolView) => objectHref('pools', pool.ns, pool.name);

/** Text of a pool that the filter looks in. */
const haystack = ({ pool }: PoolView) =>
  [pool.name, pool.ns, pool.templateRef ?? '', pool.revision ?? '', ...pool.images.map(({ image }) => image)]
    .join('\n')
    .toLowerCase();

export function PoolsPage() {
  const t = useTranslations('pools');
  const f = useFormats();
  const all = usePoolViews();
  const [text, setText] = useQueryState('q', parseAsString.withDefault(''));
  const wanted = text.trim().toLowerCase();
  const rows = wanted === '' ? all : all.filter((view) => haystack(view).includes(wanted));
  const columns = usePoolColumns();
  const [sort, onSort] = useSortParam('runway');
  const table = useDataTable({ id: 'pools', rows, columns, getId: idOf, sort, onSort, scope: wanted });
  const ready = useListState('sandboxsets') === 'ready';
  const below = all.filter(({ shortage }) => shortage !== 'calm').length;
  const sum = (of: (view: PoolView) => number) => f.number(all.reduce((total, view) => total + of(view), 0));

  return (
    <>
      <PageHead
        title={t('title')}
        sub={
          ready
            ? [
                t('sub.pools', { count: all.length }),
                t('sub.stock', {
                  available: sum(({ stats }) => stats.available),
                  desired: sum(({ pool }) => pool.desired),
                }),
                ...(below > 0 ? [t('sub.below', { count: below })] : []),
              ].join(' · ')
            : undefined
        }
        actions={
          <>
            <HeldUpdates table={table} />
            <FilterField
              value={text}
              onChange={(value) => setText(value || null)}
              placeholder={t('filter')}
              width={190}
            />
            <ColumnsMenu table={table} />
          </>
        }
      />
      <DataTable
        table={table}
        kind="sandboxsets"
        label={t('title')}
        nameOf={nameOf}
        hrefOf={hrefOf}
        twoLines
        rowClass={({ pool }) => (pool.deleting === undefined ? undefined : 'gone')}
        empty={
          all.length > 0 ? (
            <FilteredEmpty total={all.length} onClear={() => setText(null)} />
          ) : (
            <EmptyState title={t('empty.title')} command="kubectl apply -f pool.yaml">
              {t('empty.text')}
            </EmptyState>
          )
        }
        footer={
          <>
            <StockKeys />
            <span className="hide-m">{t('footer')}</span>
          </>
        }
      />
    </>
  );
}
