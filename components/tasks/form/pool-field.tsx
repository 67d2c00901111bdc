'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { PoolView } from '@/lib/domain/pool-views';
import { poolKey } from '@/lib/domain/pools';
import { claimable } from '@/lib/domain/tasks/offered-pool';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, ListTrouble, useListState } from '../../common';
import { PoolStock } from '../../pools/pool-stock';
import { RunwayText } from '../../pools/runway';
import { objectHref } from '../../shell/navigation';
import { Note, SelectField, Skeleton } from '../../ui';
import type { PoolName } from './task-form';

const keyOf = ({ ns, name }: PoolName) => poolKey(ns, name);

/** Where to claim: every pool of the scope with how many of it are ready, by the live rows. */
export function PoolField(props: {
  views: readonly PoolView[];
  value: PoolName | undefined;
  error: string | undefined;
  onChange: (pool: PoolName) => void;
}) {
  const { views, value } = props;
  const t = useTranslations('tasks.pool');
  const state = useListState('sandboxsets');
  const options = useMemo(() => {
    const pools = claimable(views).map(({ pool, stats }) => ({
      value: keyOf(pool),
      label: t(stats.available > 0 ? 'option' : 'optionEmpty', {
        name: pool.name,
        ns: pool.ns,
        available: stats.available,
        desired: pool.desired,
      }),
    }));
    const isThere = value === undefined || pools.some((option) => option.value === keyOf(value));
    const gone = isThere || !value ? [] : [{ value: keyOf(value), label: t('optionGone', value) }];
    return [...(value === undefined ? [{ value: '', label: t('choose') }] : []), ...gone, ...pools];
  }, [t, value, views]);
  if (state === 'loading') return <Skeleton width={240} />;
  if (state !== 'ready') return <ListTrouble kind="sandboxsets" />;
  if (views.length === 0 && !value) {
    return (
      <EmptyState title={t('none')} action={<Link href="/pools">{t('toPools')}</Link>}>
        {t('noneText')}
      </EmptyState>
    );
  }
  const chosen = value && views.find(({ pool }) => keyOf(pool) === keyOf(value));
  const isDouble = value !== undefined && views.filter(({ pool }) => pool.name === value.name).length > 1;
  return (
    <>
      <SelectField
        label={t('label')}
        value={value ? keyOf(value) : ''}
        options={options}
        error={props.error}
        onChange={(key) => {
          const next = views.find(({ pool }) => keyOf(pool) === key)?.pool;
          if (next) props.onChange({ ns: next.ns, name: next.name });
        }}
      />
      {chosen ? <Chosen view={chosen} /> : null}
      {value && !chosen ? <p className="fhint">{t('gone', value)}</p> : null}
      {isDouble ? (
        <Note tone="attention" title={t('double', { name: value.name })}>
          {t('doubleText')}
        </Note>
      ) : null}
    </>
  );
}

function Chosen({ view }: { view: PoolView }) {
  const t = useTranslations('tasks.pool');
  const { pool, stats, runway } = view;
  return (
    <p className="task-pool sm">
      <PoolStock view={view} />
      {stats.available === 0 ? <span>{t('cold')}</span> : null}
      {stats.available > 0 && runway.kind !== 'unknown' ? <RunwayText runway={runway} /> : null}
      <Link href={objectHref('pools', pool.ns, pool.name)}>{t('open')}</Link>
    </p>
  );
}
