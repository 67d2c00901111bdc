'use client';

import Link from 'next/link';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SectionHead, StockBar, StockKeys, severityTone, useListState } from '../common';
import type { PoolView } from '../pools/use-pool-views';

const shown = 6;

export function PoolsByRunway({ pools }: { pools: readonly PoolView[] }) {
  const t = useTranslations('overview.pools');
  if (useListState('sandboxsets') !== 'ready') return null;
  return (
    <section className="sec">
      <SectionHead title={t('title')} hint={pools.length > 0 ? t('hint') : undefined} end={<StockKeys />} />
      {pools.length === 0 ? (
        <p className="more">{t('none')}</p>
      ) : (
        <table className="tbl">
          <thead>
            <tr>
              <th scope="col">{t('pool')}</th>
              <th scope="col" className="p2">
                {t('namespace')}
              </th>
              <th scope="col" className="w-[34%]">
                {t('stock')}
              </th>
              <th scope="col" className="num" aria-sort="ascending">
                {t('runway')}
              </th>
              <th scope="col" className="num p2">
                {t('claims')}
              </th>
            </tr>
          </thead>
          <tbody>
            {pools.slice(0, shown).map((view) => (
              <PoolLine key={view.pool.uid} view={view} />
            ))}
          </tbody>
        </table>
      )}
      {pools.length > shown ? (
        <p className="more">
          <Link href="/pools">{t('more', { count: pools.length - shown })}</Link>
        </p>
      ) : null}
    </section>
  );
}

function PoolLine({ view: { pool, stats, runway, shortage } }: { view: PoolView }) {
  const t = useTranslations('overview.pools');
  const f = useFormats();
  const urgent = runway.kind === 'empty-in' || runway.kind === 'empty';
  return (
    <tr>
      <td>
        <Link className="b" href={`/pools/${encodeURIComponent(pool.ns)}/${encodeURIComponent(pool.name)}`}>
          {pool.name}
        </Link>
      </td>
      <td className="mut p2">{pool.ns}</td>
      <td>
        <StockBar
          available={stats.available}
          desired={pool.desired}
          creating={stats.creating}
          terminating={stats.terminating}
          tone={severityTone(shortage)}
        />
      </td>
      <td className="num">
        {urgent ? (
          <span className="b sev" data-tone="attention">
            {runway.kind === 'empty-in' ? f.coarse(runway.minutes * 60_000) : t('runways.empty')}
          </span>
        ) : (
          <span className="mut">{t(`runways.${runway.kind as 'steady' | 'idle' | 'unknown'}`)}</span>
        )}
      </td>
      <td className="num p2">
        {pool.claimsPerMin === undefined ? <span className="dim">–</span> : f.decimal(pool.claimsPerMin)}
      </td>
    </tr>
  );
}
