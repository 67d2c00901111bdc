'use client';

import Link from 'next/link';
import type { PoolView } from '@/lib/domain/pool-views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SectionHead, StockKeys, useListState } from '../common';
import { PoolStock } from '../pools/pool-stock';
import { RunwayText } from '../pools/runway';
import { Skeleton } from '../ui';

const shown = 6;

export function PoolsByRunway({ pools }: { pools: readonly PoolView[] }) {
  const t = useTranslations('overview.pools');
  const state = useListState('sandboxsets');
  if (state !== 'ready' && state !== 'loading') return null;
  return (
    <section className="sec">
      <SectionHead
        title={t('title')}
        hint={pools.length > 0 ? t('hint') : undefined}
        end={
          <span className="hide-m">
            <StockKeys />
          </span>
        }
      />
      {state === 'ready' && pools.length === 0 ? (
        <p className="more">{t('none')}</p>
      ) : (
        <table className="tbl table-fixed">
          <thead>
            <tr>
              <th scope="col">{t('pool')}</th>
              <th scope="col" className="p2 w-[17%]">
                {t('namespace')}
              </th>
              <th scope="col" className="w-[39%]">
                {t('stock')}
              </th>
              <th scope="col" className="num w-[12%] max-[760px]:w-[23%]" aria-sort="ascending">
                {t('runway')}
              </th>
              <th scope="col" className="num p2 w-[13%]">
                {t('claims')}
              </th>
            </tr>
          </thead>
          <tbody>
            {state === 'loading' ? <LoadingLines /> : null}
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

function LoadingLines() {
  return [110, 90, 130].map((width) => (
    <tr key={width}>
      <td>
        <Skeleton width={`min(100%, ${width}px)`} />
      </td>
      <td className="p2">
        <Skeleton width={70} />
      </td>
      <td>
        <Skeleton width="100%" />
      </td>
      <td className="num">
        <Skeleton width={40} />
      </td>
      <td className="num p2">
        <Skeleton width={30} />
      </td>
    </tr>
  ));
}

function PoolLine({ view }: { view: PoolView }) {
  const { pool } = view;
  const f = useFormats();
  return (
    <tr>
      <td title={pool.name}>
        <Link className="b cut block" href={`/pools/${encodeURIComponent(pool.ns)}/${encodeURIComponent(pool.name)}`}>
          {pool.name}
        </Link>
      </td>
      <td className="mut p2 cut" title={pool.ns}>
        {pool.ns}
      </td>
      <td>
        <PoolStock view={view} />
      </td>
      <td className="num">
        <RunwayText runway={view.runway} bare />
      </td>
      <td className="num p2">
        {pool.claimsPerMin === undefined ? <span className="dim">–</span> : f.decimal(pool.claimsPerMin)}
      </td>
    </tr>
  );
}
