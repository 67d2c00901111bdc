'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SectionHead } from '@/components/common';
import { Button, Skeleton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { severityOf } from '@/lib/domain/severity';
import { waterfallOf } from '@/lib/domain/waterfall';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { ChartSwitch, type ChartView } from './as-chart';
import { GapsNote } from './gaps-note';
import { HistoryNote } from './history-note';
import { sandboxHistory, usualDurations } from './queries';
import { stayVersion } from './stay-version';
import { WaterfallChart } from './waterfall-chart';
import { WaterfallTable } from './waterfall-table';
import './time-charts.css';

/** A store that was away comes back without any change of the row. */
const readEveryMs = 30_000;

/**
 * What a sandbox did, one bar a stay, against where it would usually have ended in its pool.
 * @param last so many stays are shown at first
 */
export function SandboxWaterfall({ row, title, last }: { row: SandboxRow; title: ReactNode; last: number }) {
  const t = useTranslations('timing.waterfall');
  const f = useFormats();
  const [view, setView] = useState<ChartView>('chart');
  const [all, setAll] = useState(false);
  const now = useNow();
  const limits = useLimits();
  const { data, error, isPending } = useQuery({
    ...sandboxHistory(row, stayVersion(row)),
    refetchInterval: readEveryMs,
  });
  const usual = useQuery(usualDurations(row.ns, row.pool));
  const stays = data?.stays ?? [];
  const shown = all ? stays : stays.slice(-last);
  const fall =
    data && waterfallOf(shown, { now, since: data.since, ...(usual.data ? { usual: usual.data.figures } : {}) });
  const earlier = stays.length - shown.length;
  return (
    <section className="sec">
      <SectionHead
        title={title}
        hint={fall ? t('from', { at: f.dateTime(fall.from) }) : undefined}
        end={<ChartSwitch label={t('label')} value={view} onChange={setView} />}
      />
      <HistoryNote store={data?.store} error={error} />
      {isPending ? (
        <div className="px-[var(--gutter)] pb-3">
          <Skeleton width="60%" />
        </div>
      ) : null}
      {data && !fall ? <p className="dim px-[var(--gutter)] pb-3">{t('none')}</p> : null}
      {fall && view === 'chart' ? <WaterfallChart fall={fall} severity={severityOf(row, now, limits)} /> : null}
      {fall && view === 'table' ? <WaterfallTable fall={fall} /> : null}
      {data ? <GapsNote gaps={data.gaps} /> : null}
      {earlier > 0 ? (
        <p className="px-[var(--gutter)] pb-3">
          <Button size="sm" onClick={() => setAll(true)}>
            {t('earlier', { count: earlier })}
          </Button>
        </p>
      ) : null}
    </section>
  );
}
