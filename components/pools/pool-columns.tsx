'use client';

import { useMemo } from 'react';
import { type PoolView, runwayMinutes } from '@/lib/domain/pool-views';
import { visibleText } from '@/lib/domain/text';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Ago, SafeText } from '../common';
import { type DataColumn, RowLink } from '../data-table';
import { objectHref } from '../shell/navigation';
import { PoolActions } from './pool-actions';
import type { OpenForm } from './pool-form';
import { PoolLint } from './pool-issues';
import { PoolStock } from './pool-stock';
import { RunwayText } from './runway';

const none = <span className="dim">–</span>;

/** The end of an image's name is what tells pools and versions apart: where room is short, the tag stays. */
function ShortImage({ image }: { image: string }) {
  const slash = image.lastIndexOf('/');
  const short = slash < 0 ? image : `…${image.slice(slash)}`;
  const colon = short.lastIndexOf(':');
  const end = colon < 0 ? short.length : colon;
  return (
    <span className="flex min-w-0">
      <span className="cut">
        <SafeText text={short.slice(0, end)} />
      </span>
      <span className="shrink-0 max-w-[70%] cut">
        <SafeText text={short.slice(end)} />
      </span>
    </span>
  );
}

/** @param onForm the same function every time, else every row is rendered again */
export function usePoolColumns(onForm: (form: OpenForm) => void): DataColumn<PoolView>[] {
  const t = useTranslations('pools');
  const f = useFormats();
  return useMemo(() => {
    const rate = (perMin: number | undefined) => (perMin === undefined ? none : f.decimal(perMin));
    return [
      {
        id: 'name',
        header: t('column.pool'),
        width: 124,
        always: true,
        cell: ({ pool }) => (
          <>
            <RowLink href={objectHref('pools', pool.ns, pool.name)} name={pool.name} />
            <span className="sub">{pool.ns}</span>
          </>
        ),
        sort: ({ pool }) => `${pool.name} ${pool.ns}`,
      },
      {
        id: 'stock',
        header: t('column.stock'),
        width: 166,
        cell: (view) => <PoolStock view={view} />,
        sort: ({ pool, stats }) => (pool.desired === 0 ? 1 : stats.available / pool.desired),
        watch: ({ pool, stats }) => `${stats.available}/${pool.desired}`,
      },
      {
        id: 'runway',
        header: t('column.runway'),
        width: 108,
        align: 'end',
        cell: ({ runway }) => <RunwayText runway={runway} />,
        sort: ({ runway }) => runwayMinutes(runway),
      },
      {
        id: 'claims',
        header: t('column.claims'),
        width: 88,
        align: 'end',
        priority: 2,
        cell: ({ pool }) => rate(pool.claimsPerMin),
        sort: ({ pool }) => pool.claimsPerMin,
        sortFirst: 'descending',
      },
      {
        id: 'refills',
        header: t('column.refills'),
        width: 88,
        align: 'end',
        priority: 3,
        cell: ({ pool }) => <span className="mut">{rate(pool.refillsPerMin)}</span>,
        sort: ({ pool }) => pool.refillsPerMin,
        sortFirst: 'descending',
      },
      {
        id: 'updated',
        header: t('column.updated'),
        width: 136,
        priority: 2,
        cell: ({ pool, stats }) => (
          <span title={t('updatedTitle', { updated: stats.updatedCount, old: stats.old })}>
            {f.number(stats.updatedCount)}/{f.number(stats.updatedCount + stats.old)}{' '}
            <span className="mono dim">&nbsp;{pool.revision ?? '–'}</span>
          </span>
        ),
        sort: ({ stats }) => stats.old,
        sortFirst: 'descending',
        watch: ({ pool, stats }) => `${stats.updatedCount}/${stats.old}/${pool.revision}`,
      },
      {
        id: 'claimed',
        header: t('column.claimed'),
        width: 74,
        align: 'end',
        priority: 4,
        cell: ({ stats }) => f.number(stats.claimed),
        sort: ({ stats }) => stats.claimed,
        sortFirst: 'descending',
        watch: ({ stats }) => stats.claimed,
      },
      {
        id: 'limits',
        header: t('column.limits'),
        width: 180,
        priority: 3,
        cell: ({ pool }) => (
          <span className="mut">
            {pool.scaleMax ?? '–'} / {pool.updateMax ?? '–'}
          </span>
        ),
      },
      {
        id: 'image',
        header: t('column.image'),
        width: 172,
        priority: 3,
        cell: ({ pool, issues }) => (
          <>
            {pool.templateRef === undefined ? (
              <span className="mono mut" title={pool.images.map(({ name, image }) => `${name}: ${image}`).join('\n')}>
                {pool.images[0] ? <ShortImage image={pool.images[0].image} /> : '–'}
              </span>
            ) : (
              <span
                className="mut cut block"
                title={t('fromTemplate', { name: visibleText(pool.templateRef, 'mark') })}
              >
                <SafeText text={t('fromTemplate', { name: pool.templateRef })} />
              </span>
            )}
            <PoolLint issues={issues} />
          </>
        ),
        sort: ({ pool }) => pool.images[0]?.image,
        watch: ({ pool }) => pool.templateRef ?? pool.images[0]?.image,
      },
      {
        id: 'age',
        header: t('column.age'),
        width: 54,
        align: 'end',
        priority: 3,
        cell: ({ pool }) => (
          <span className="mut">{pool.created === undefined ? none : <Ago at={pool.created} bare />}</span>
        ),
        sort: ({ pool }) => (pool.created === undefined ? undefined : -pool.created),
      },
      {
        id: 'actions',
        header: t('column.actions'),
        width: 74,
        align: 'end',
        priority: 2,
        cell: ({ pool }) => <PoolActions pool={pool} onForm={onForm} />,
      },
    ];
  }, [f, onForm, t]);
}
