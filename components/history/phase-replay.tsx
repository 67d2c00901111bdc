'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useMemo, useState } from 'react';
import { SectionHead } from '@/components/common';
import { Segmented, Skeleton } from '@/components/ui';
import type { PhaseHistoryReply } from '@/lib/contracts/objects';
import { type DisplayState, displayStates } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ChartSwitch, type ChartView, FigureTable } from './as-chart';
import { type Gap, GapsNote, useGapText } from './gaps-note';
import { HistoryNote } from './history-note';
import type { PhaseSample } from './phase-area';
import { poolPhases } from './queries';
import { StateSwatch } from './state-fill';
import './time-charts.css';

// The chart library is fetched when a replay is opened, not with the lists.
const PhaseArea = dynamic(() => import('./phase-area').then((module) => module.PhaseArea), {
  ssr: false,
  loading: () => <Skeleton width="100%" />,
});

const spans = ['60', '360', '1440'] as const;
/** As many points as a screen can show. */
const mostSamples = 300;

/** How a pool's sandboxes moved through their states: counts over the last hours, and those of any moment in words. */
export function PhaseReplay({ ns, pool }: { ns: string; pool: string }) {
  const t = useTranslations('timing.replay');
  const f = useFormats();
  const [view, setView] = useState<ChartView>('chart');
  const [minutes, setMinutes] = useState<(typeof spans)[number]>('60');
  const { data, error, isPending } = useQuery(poolPhases(ns, pool, Number(minutes)));
  const samples = useMemo(() => thinned(data?.samples ?? []), [data]);
  const gaps = useMemo(() => gapsWithin(data?.gaps ?? [], samples), [data, samples]);
  const states = useMemo(() => seenIn(samples), [samples]);
  return (
    <section className="sec">
      <SectionHead
        title={t('title', { pool })}
        hint={data ? t('since', { at: f.dateTime(data.since) }) : undefined}
        end={
          <>
            <Segmented
              label={t('span')}
              value={minutes}
              onChange={setMinutes}
              options={spans.map((value) => ({ value, label: t('hours', { count: Number(value) / 60 }) }))}
            />
            <ChartSwitch label={t('title', { pool })} value={view} onChange={setView} />
          </>
        }
      />
      <HistoryNote store={data?.store} error={error} />
      {isPending ? (
        <div className="px-[var(--gutter)] pb-3">
          <Skeleton width="60%" />
        </div>
      ) : null}
      {data && samples.length === 0 ? <p className="dim px-[var(--gutter)] pb-3">{t('none')}</p> : null}
      {samples.length > 0 && view === 'chart' ? <Replay samples={samples} gaps={gaps} states={states} /> : null}
      {samples.length > 0 && view === 'table' ? <ReplayTable samples={samples} gaps={gaps} states={states} /> : null}
      <GapsNote gaps={gaps} />
    </section>
  );
}

type Sample = PhaseHistoryReply['samples'][number];
interface Shown {
  samples: readonly Sample[];
  gaps: readonly Gap[];
  states: readonly DisplayState[];
}

function Replay({ samples, gaps, states }: Shown) {
  const t = useTranslations('timing.replay');
  const ts = useTranslations('domain.state');
  const f = useFormats();
  const first = samples[0]?.at ?? 0;
  const last = samples.at(-1)?.at ?? 0;
  // Until somebody chooses a moment it is the newest one.
  const [chosen, setChosen] = useState<number>();
  const moment = Math.min(last, Math.max(first, chosen ?? last));
  const sample = samples.findLast(({ at }) => at <= moment) ?? samples[0];
  const overdue = Object.values(sample?.overdue ?? {}).reduce((sum, count) => sum + count, 0);
  const isWatched = !gaps.some(({ from, to }) => from < moment && moment < to);
  const points = useMemo(() => pointsOf({ samples, gaps, states }), [samples, gaps, states]);
  return (
    <>
      <PhaseArea samples={points} gaps={gaps} states={states} chosen={moment} />
      <div className="px-[var(--gutter)] pl-[calc(var(--gutter)+34px)]">
        <input
          type="range"
          className="replay-time"
          aria-label={t('moment')}
          aria-valuetext={f.dateTime(moment)}
          min={first}
          max={last}
          step={1_000}
          value={moment}
          onChange={(event) => {
            const value = Number(event.target.value);
            setChosen(value >= last ? undefined : value);
          }}
        />
      </div>
      <p className="replay-counts" aria-live="polite">
        <b className="b">{f.dateTime(moment)}</b>
        {[...states].reverse().map((state) => (
          <span key={state} className="key">
            <StateSwatch state={state} />
            {ts(state)} <b className="b text-fg">{isWatched ? f.number(sample?.counts[state] ?? 0) : '–'}</b>
          </span>
        ))}
        {isWatched ? (
          <span className={overdue > 0 ? 'b text-breach-fg' : 'dim'}>{t('overdue', { count: overdue })}</span>
        ) : (
          <span className="dim">{t('unwatched')}</span>
        )}
      </p>
    </>
  );
}

function ReplayTable({ samples, gaps, states }: Shown) {
  const t = useTranslations('timing.replay');
  const ts = useTranslations('domain.state');
  const f = useFormats();
  const gapText = useGapText();
  const rows = [...thinned(samples, 60), ...gaps].sort((a, b) => timeOf(b) - timeOf(a));
  return (
    <FigureTable label={t('table')} heads={[t('time'), ...states.map((state) => ts(state)), t('overdueHead')]}>
      {rows.map((sample) =>
        'from' in sample ? (
          <tr key={`gap ${sample.from}`}>
            <th scope="row">{gapText(sample)}</th>
            <td colSpan={states.length + 1} className="dim">
              {t('unwatched')}
            </td>
          </tr>
        ) : (
          <tr key={sample.at}>
            <th scope="row">{f.dateTime(sample.at)}</th>
            {states.map((state) => (
              <td key={state} className="num">
                {f.number(sample.counts[state] ?? 0)}
              </td>
            ))}
            <td className="num">{f.number(Object.values(sample.overdue).reduce((sum, count) => sum + count, 0))}</td>
          </tr>
        ),
      )}
    </FigureTable>
  );
}

const timeOf = (each: Sample | Gap): number => ('from' in each ? each.from : each.at);

/** Those that lie between samples: what was before the first, or is after the last one, is not shown at all. */
const gapsWithin = (gaps: readonly Gap[], samples: readonly Sample[]): Gap[] =>
  gaps.filter(({ from, to }) => to > (samples[0]?.at ?? 0) && from < (samples.at(-1)?.at ?? 0));

/** What was counted last goes on until a gap begins, and nothing is known from there to the next count. */
function pointsOf({ samples, gaps, states }: Shown): PhaseSample[] {
  const point = (at: number, counts: Sample['counts'] | undefined): PhaseSample => ({
    at,
    ...Object.fromEntries(states.map((state) => [state, counts ? (counts[state] ?? 0) : null])),
  });
  return samples.flatMap(({ at, counts }, index) => {
    const next = samples[index + 1]?.at ?? at;
    const gap = gaps.find(({ from, to }) => to > at && from < next);
    if (!gap) return [point(at, counts)];
    const torn = Math.max(at, gap.from);
    return [point(at, counts), point(torn, counts), point(torn + 1, undefined)];
  });
}

/** Every so many-th, the last one always. */
function thinned<T>(all: readonly T[], most = mostSamples): T[] {
  const step = Math.ceil(all.length / most);
  return all.filter((_, index) => (all.length - 1 - index) % step === 0);
}

const seenIn = (samples: readonly Sample[]): DisplayState[] =>
  displayStates.filter((state) => samples.some(({ counts }) => (counts[state] ?? 0) > 0));
