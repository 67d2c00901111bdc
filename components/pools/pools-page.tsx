'use client';

import { useState } from 'react';
import type { PoolView } from '@/lib/domain/pool-views';
import { poolKey } from '@/lib/domain/pools';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, PageHead, StockKeys, useListState } from '../common';
import { DataTable, FilterTools, useDataTable, useSortParam, useTextFilter } from '../data-table';
import { objectHref } from '../shell/navigation';
import { menuButtonOf } from './pool-actions';
import { usePoolColumns } from './pool-columns';
import { type OpenForm, PoolForm } from './pool-form';
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
  const filter = useTextFilter(all, haystack);
  const [form, setForm] = useState<OpenForm>();
  const columns = usePoolColumns(setForm);
  const [sort, onSort] = useSortParam('runway');
  const table = useDataTable({
    id: 'pools',
    rows: filter.rows,
    columns,
    getId: idOf,
    sort,
    onSort,
    scope: filter.wanted,
  });
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
        actions={<FilterTools table={table} filter={filter} label={t('filter')} />}
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
            <FilteredEmpty total={all.length} onClear={() => filter.set(null)} />
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
      {form ? (
        <PoolForm
          form={form}
          onClose={() => setForm(undefined)}
          returnFocus={() => menuButtonOf(form.pool) ?? document.querySelector<HTMLElement>('[role="grid"]')}
        />
      ) : null}
    </>
  );
}
