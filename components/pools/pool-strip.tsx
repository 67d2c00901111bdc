'use client';

import type { ReactNode } from 'react';
import type { PoolView } from '@/lib/domain/pool-views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Ago } from '../common';
import { PoolStock } from './pool-stock';
import { RunwayText } from './runway';

/** What decides whether to act on a pool, in one line. */
export function PoolStrip({ view }: { view: PoolView }) {
  const { pool, stats, runway, issues } = view;
  const surplus = issues.find(({ code }) => code === 'Surplus')?.count;
  const t = useTranslations('pools.strip');
  const f = useFormats();
  const rate = (perMin: number | undefined) => (perMin === undefined ? '–' : f.decimal(perMin));
  const moving = [
    ...(stats.creating > 0 ? [t('creating', { count: stats.creating })] : []),
    ...(stats.terminating > 0 ? [t('terminating', { count: stats.terminating })] : []),
    ...(stats.locked > 0 ? [t('locked', { count: stats.locked })] : []),
    ...(stats.dead > 0 ? [t('dead', { count: stats.dead })] : []),
    ...(surplus === undefined ? [] : [t('surplus', { count: surplus })]),
  ];
  return (
    <dl className="facts">
      <Fact label={t('stock')}>
        <PoolStock view={view} />
      </Fact>
      <Fact label={t('moving')}>{moving.length > 0 ? moving.join(' · ') : <span className="dim">–</span>}</Fact>
      <Fact label={t('runway')}>
        <RunwayText runway={runway} />
      </Fact>
      <Fact label={t('rates')}>
        {rate(pool.claimsPerMin)} <span className="dim">/</span> {rate(pool.refillsPerMin)}
      </Fact>
      <Fact label={t('claimed')}>
        {f.number(stats.claimed)} <span className="dim">{t('claimedHint')}</span>
      </Fact>
      <Fact label={t('revision')}>
        <span className="mono">{pool.revision ?? '–'}</span>
      </Fact>
      {stats.lag ? (
        <Fact label={t('controller')}>
          <span className="text-attention-fg b">{t('lag', { seen: pool.obs ?? '–', written: pool.gen ?? '–' })}</span>
        </Fact>
      ) : null}
      {pool.created === undefined ? null : (
        <Fact label={t('age')}>
          <Ago at={pool.created} bare />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
