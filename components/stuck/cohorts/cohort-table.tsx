'use client';

import { usePathname } from 'next/navigation';
import { useCallback } from 'react';
import { EmptyState, FilteredEmpty } from '@/components/common';
import { DataTable, HeldUpdates, useDataTable, useSortParam } from '@/components/data-table';
import type { Cohort } from '@/lib/domain/cohorts';
import { useTranslations } from '@/lib/i18n/use-translations';
import type { useStuck } from '../use-stuck';
import { useCohortColumns } from './cohort-columns';
import { useCohortName } from './cohort-words';

const keyOf = (cohort: Cohort) => cohort.key;
/** So many rows are in sight before the list scrolls. */
const inSight = 7;

/** Cohorts, most urgent first. A press chooses one. */
export function CohortTable({
  stuck,
  chosen,
  nothing,
}: {
  stuck: ReturnType<typeof useStuck>;
  chosen: Cohort | undefined;
  /** Nothing is overdue, and the page has said so. */
  nothing: boolean;
}) {
  const t = useTranslations('stuck');
  const path = usePathname();
  const nameOf = useCohortName();
  const [sort, onSort] = useSortParam('-past', 'cohorts');
  const { by, view: asked } = stuck.search;
  const split = by.join();
  const hrefOf = useCallback(
    ({ key }: Cohort) => {
      const query = new URLSearchParams({
        ...(asked ? { view: asked } : {}),
        ...(split === '' ? {} : { by: split }),
        cohort: key,
      });
      return `${path}?${query}`;
    },
    [asked, path, split],
  );
  const columns = useCohortColumns(hrefOf);
  const { cohorts, view } = stuck;
  const table = useDataTable({ id: 'cohorts', rows: cohorts, columns, getId: keyOf, sort, onSort, scope: stuck.scope });
  const all = stuck.total[view].length;
  const lines = Math.min(cohorts.length, inSight);
  const height = lines === 0 ? undefined : `calc(var(--head-row) + ${lines} * var(--row-2) + 2px)`;
  return (
    <section aria-label={t('cohorts')}>
      {table.held > 0 ? (
        <p className="px-[var(--gutter)] py-1">
          <HeldUpdates table={table} />
        </p>
      ) : null}
      <div className="listed" style={{ height }}>
        <DataTable
          table={table}
          kind="sandboxes"
          label={t('cohorts')}
          nameOf={nameOf}
          hrefOf={hrefOf}
          onOpen={({ key }) => stuck.setCohort(key)}
          openId={chosen?.key}
          twoLines
          quietKeys
          noBanner
          empty={
            stuck.filtered && all > 0 ? (
              <FilteredEmpty total={all} onClear={stuck.clear} />
            ) : nothing && view !== 'progress' ? null : (
              <EmptyState title={t(`none.${view}`)}>{t('none.text')}</EmptyState>
            )
          }
        />
      </div>
    </section>
  );
}
