'use client';

import { useMemo } from 'react';
import { Dwell } from '@/components/common';
import type { DataColumn } from '@/components/data-table';
import { type Cohort, urgencyOfCohort } from '@/lib/domain/cohorts';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNarrow } from '../../sandboxes/use-narrow';
import { OwnerCell } from '../owner/owner-cell';
import { CauseCell, MedianCell, NodeCell, nodeOf, PoolCell, sharedBy } from './cohort-cells';
import { useCohortName } from './cohort-words';

/** Columns of the cohorts. `hrefOf`: the address of a cohort. */
export function useCohortColumns(hrefOf: (cohort: Cohort) => string): DataColumn<Cohort>[] {
  const t = useTranslations('stuck.column');
  const f = useFormats();
  const nameOf = useCohortName();
  const narrow = useNarrow();
  return useMemo((): DataColumn<Cohort>[] => {
    const columns: (DataColumn<Cohort> & { wide?: true })[] = [
      {
        id: 'cause',
        header: t('cause'),
        width: narrow ? 184 : 272,
        always: true,
        cell: (cohort) => <CauseCell cohort={cohort} href={hrefOf(cohort)} narrow={narrow} />,
        sort: nameOf,
      },
      {
        id: 'pool',
        header: t('pool'),
        width: 100,
        wide: true,
        cell: (cohort) => <PoolCell cohort={cohort} />,
        sort: (cohort) => `${cohort.pool ?? ''} ${cohort.ns} ${sharedBy(cohort, 'revision')?.value ?? ''}`,
      },
      {
        id: 'node',
        header: t('node'),
        width: 80,
        wide: true,
        cell: (cohort) => <NodeCell cohort={cohort} />,
        sort: (cohort) => nodeOf(cohort)?.value,
        watch: (cohort) => nodeOf(cohort)?.value,
      },
      {
        id: 'count',
        header: t('count'),
        width: 52,
        align: 'end',
        cell: (cohort) => <b className="b">{f.number(cohort.rows.length)}</b>,
        sort: (cohort) => cohort.rows.length,
        sortFirst: 'descending',
        watch: (cohort) => cohort.rows.length,
      },
      {
        id: 'past',
        header: t('oldest'),
        width: narrow ? 88 : 134,
        align: 'end',
        cell: ({ oldest }) =>
          oldest ? (
            <span className="norail">
              <Dwell row={oldest} />
            </span>
          ) : (
            <span className="dim">–</span>
          ),
        sort: urgencyOfCohort,
        order: { by: t('past'), descending: t('pastDescending'), ascending: t('pastAscending') },
        sortFirst: 'descending',
      },
      {
        id: 'median',
        header: 'p50',
        width: 86,
        align: 'end',
        priority: 2,
        cell: (cohort) => <MedianCell cohort={cohort} />,
        sort: ({ medianSince }) => (medianSince === undefined ? undefined : -medianSince),
        sortFirst: 'descending',
      },
      {
        id: 'sessions',
        header: t('sessions'),
        width: 66,
        align: 'end',
        wide: true,
        cell: ({ sessions }) => f.number(sessions),
        sort: ({ sessions }) => sessions,
        sortFirst: 'descending',
        watch: ({ sessions }) => sessions,
      },
      {
        id: 'owner',
        header: t('owner'),
        width: 104,
        wide: true,
        cell: (cohort) => <OwnerCell target={{ scope: cohort.scope, rows: cohort.rows, name: nameOf(cohort) }} />,
      },
    ];
    return narrow ? columns.filter(({ wide }) => !wide) : columns;
  }, [f, hrefOf, nameOf, narrow, t]);
}
