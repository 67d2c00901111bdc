'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo } from 'react';
import type { DisplayState, SandboxRow } from '@/lib/contracts/rows';
import { displayStates } from '@/lib/contracts/rows';
import type { LimitsInForce } from '@/lib/domain/limits';
import { isOverdue, severityOf } from '@/lib/domain/severity';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow, useRows } from '@/lib/live';
import { PhaseRibbon } from '../charts';
import { SectionHead, StateBadge, severityTone, useListState } from '../common';
import { HistoryNote } from '../history/history-note';
import { phaseHistory } from './queries';

const minutes = 60;
const span = minutes * 60_000;

/** The order of the look: sessions, then stock, then what is on its way. */
const order: readonly DisplayState[] = [
  'Running',
  'Paused',
  'Available',
  'Creating',
  'Resuming',
  'Pausing',
  'Initialising',
  'NotReady',
  'Upgrading',
  'Recycling',
  'Terminating',
  'Failed',
  'Succeeded',
  'Other',
];
/** Shown only while there are any, now or in the hour. */
const rare: ReadonlySet<DisplayState> = new Set(['NotReady', 'Recycling', 'Succeeded', 'Other', 'Initialising']);

type Tally = { now: number; overdue: number; breach: boolean };

/** Counts of each state over the last hour. The numbers are the rows', the lines are what this console recorded. */
export function PhaseRibbons() {
  const t = useTranslations('overview.phases');
  const f = useFormats();
  const now = useNow(5_000);
  const sandboxes = useRows('sandboxes');
  const limits = useLimits();
  const tallies = useMemo(() => tally(sandboxes, now, limits), [sandboxes, now, limits]);
  const { data: history, isError } = useQuery(phaseHistory(minutes));
  const state = useListState('sandboxes');
  if (state !== 'ready' && state !== 'loading') return null;
  const ready = state === 'ready';

  const from = now - span;
  const samples = (history?.samples ?? []).filter((sample) => sample.at >= from);
  const seen = new Set(samples.flatMap((sample) => Object.keys(sample.counts)));
  const young = history !== undefined && history.since > from;
  return (
    <section>
      <SectionHead
        title={t('title')}
        hint={isError ? t('failed') : young ? t('recording', { at: f.time(history.since) }) : t('hint', { minutes })}
      />
      {/* Without a database by choice, an hour in memory is all that is shown here anyway. */}
      <HistoryNote store={history?.store.state === 'off' ? undefined : history?.store} />
      <div className="ribx">
        <span />
        <span />
        <span className="num">{t('now')}</span>
        <span className="num">{t('overdue')}</span>
      </div>
      {order
        .filter((phase) => !rare.has(phase) || tallies[phase].now > 0 || seen.has(phase))
        .map((phase) => {
          const { now: count, overdue, breach } = tallies[phase];
          return (
            <Link key={phase} className="rib" href={`/sandboxes?state=${phase}`}>
              <StateBadge state={phase} />
              <PhaseRibbon
                samples={samples.map((sample) => ({
                  at: sample.at,
                  count: sample.counts[phase] ?? 0,
                  overdue: sample.overdue[phase] ?? 0,
                }))}
                gaps={history?.gaps ?? []}
                from={from}
                to={now}
              />
              <span className="num">{ready ? f.number(count) : '–'}</span>
              <span className="od" data-tone={overdue > 0 ? severityTone(breach ? 'breach' : 'warn') : undefined}>
                {overdue > 0 ? f.number(overdue) : '–'}
              </span>
            </Link>
          );
        })}
      <div className="ribx">
        <span />
        <div>
          <span>{f.minutes(from)}</span>
          <span>{f.minutes(from + span / 2)}</span>
          <span title={f.zoneName(now)}>{f.minutes(now)}</span>
        </div>
        <span />
        <span />
      </div>
    </section>
  );
}

function tally(sandboxes: readonly SandboxRow[], now: number, limits: LimitsInForce): Record<DisplayState, Tally> {
  const counts = Object.fromEntries(
    displayStates.map((state) => [state, { now: 0, overdue: 0, breach: false }]),
  ) as Record<DisplayState, Tally>;
  for (const row of sandboxes) {
    const own = counts[row.state];
    own.now++;
    if (!isOverdue(row, now, limits)) continue;
    own.overdue++;
    if (severityOf(row, now, limits) === 'breach') own.breach = true;
  }
  return counts;
}
