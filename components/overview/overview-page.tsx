'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveState, useRows } from '@/lib/live';
import { ListTrouble, PageHead, StaleBanner, useListState } from '../common';
import { NeedsAttention } from './needs-attention';
import { OverviewFigures } from './overview-figures';
import { PhaseRibbons } from './phase-ribbons';
import { PoolsByRunway } from './pools-by-runway';
import { RecentActions } from './recent-actions';
import { useOverview } from './use-overview';

/** Exceptions first: what is overdue, what runs short, then the ribbons. Every number leads to the list it counts. */
export function OverviewPage() {
  const t = useTranslations('overview');
  const listState = useListState('sandboxes');
  const overview = useOverview();
  const sandboxes = useRows('sandboxes');
  const namespaces = new Set([...sandboxes, ...overview.pools.map(({ pool }) => pool)].map(({ ns }) => ns)).size;
  const stale = useLiveState() === 'reconnecting' ? 'dimmed' : undefined;

  return (
    <>
      <PageHead
        title={t('title')}
        sub={
          listState === 'ready'
            ? [
                t('sub.sandboxes', { count: sandboxes.length }),
                t('sub.pools', { count: overview.pools.length }),
                t('sub.namespaces', { count: namespaces }),
              ].join(' · ')
            : undefined
        }
      />
      <StaleBanner />
      <div className={stale}>
        <OverviewFigures overview={overview} />
      </div>
      <ListTrouble kind="sandboxes" />
      <div className="split">
        <div className={stale}>
          <NeedsAttention items={overview.attention} />
          <PoolsByRunway pools={overview.pools} />
        </div>
        <div>
          <div className={stale}>
            <PhaseRibbons />
          </div>
          <RecentActions />
        </div>
      </div>
    </>
  );
}
