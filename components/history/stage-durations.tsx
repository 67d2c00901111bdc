'use client';

import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { SectionHead } from '@/components/common';
import type { DisplayState, SandboxRow } from '@/lib/contracts/rows';
import { type LimitsInForce, limitsOf } from '@/lib/domain/limits';
import { type Severity, severityOf } from '@/lib/domain/severity';
import { boxOf, stageRows } from '@/lib/domain/stage-durations';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { ChartSwitch, type ChartView, FigureTable } from './as-chart';
import { HistoryNote } from './history-note';
import { usePlaceName } from './place-name';
import { sandboxHistory, usualDurations } from './queries';
import { anyFew, type ChartRow, fewStays, StageChart, useFigures } from './stage-chart';
import { stayVersion } from './stay-version';
import './time-charts.css';

/** Histories are read one by one: of so many members, spread over all. */
const sampled = 16;

/**
 * Where members of a cohort spent their time in the state they are in: box plots against what is usual in their pool and
 * against the limits. The state as a whole is of all members and live; its stages are of those whose history was read.
 */
export function StageDurations({
  ns,
  pool,
  state,
  rows,
}: {
  ns: string;
  pool: string | undefined;
  state: DisplayState;
  rows: readonly SandboxRow[];
}) {
  const t = useTranslations('timing.stages');
  const f = useFormats();
  const [view, setView] = useState<ChartView>('chart');
  const now = useNow(2_000);
  const usual = useQuery(usualDurations(ns, pool));
  const members = useMemo(() => sampleOf(rows), [rows]);
  const histories = useQueries({ queries: members.map((row) => sandboxHistory(row, stayVersion(row))) });
  const known = histories.flatMap(({ data }) => (data ? [data] : []));
  const figures = usual.data?.figures ?? [];
  const inForce = useLimits();
  const limits = limitsOf({ state, ns, pool }, inForce);
  const severity = worstOf(rows, now, inForce);
  const chart: ChartRow[] = [
    {
      state,
      severity,
      ...optional('box', boxOf(dwells(rows, now), rows.length)),
      ...optional(
        'usual',
        figures.find((each) => each.state === state && isWhole(each)),
      ),
      ...optional('limits', limits),
    },
    ...stageRows(
      known.map(({ stays }) => stays),
      figures,
      state,
      now,
    ).map((row): ChartRow => ({ ...row, state, severity: row.box?.open ? severity : 'calm' })),
  ];
  const failed = usual.error ?? histories.find(({ error }) => error)?.error ?? null;
  const store = usual.data?.store ?? known[0]?.store;
  const sample = known.length < rows.length ? t('sample', { read: known.length, count: rows.length }) : '';
  return (
    <section className="sec">
      <SectionHead
        title={t('title')}
        hint={`${t(pool === undefined ? 'hintNamespace' : 'hint', { count: rows.length })}${sample}`}
        end={<ChartSwitch label={t('title')} value={view} onChange={setView} />}
      />
      <HistoryNote store={store} error={failed} />
      {view === 'chart' ? (
        <>
          <p className="keys px-[var(--gutter)] pb-1">
            <span className="key">
              <i className="bg-(--band)" />
              {t('key.usual')}
            </span>
            {anyFew(chart) ? (
              <span className="key">
                <i className="few" />
                {t('key.few', { count: fewStays })}
              </span>
            ) : null}
            {limits ? (
              <>
                <span className="key">
                  <i className="w-[2px]! bg-attention" />
                  {t('key.warn', { limit: f.coarse(limits.warn) })}
                </span>
                <span className="key">
                  <i className="w-[2px]! bg-breach" />
                  {t('key.breach', { limit: f.coarse(limits.breach) })}
                </span>
              </>
            ) : null}
          </p>
          <StageChart rows={chart} />
        </>
      ) : (
        <StageTable rows={chart} />
      )}
    </section>
  );
}

function StageTable({ rows }: { rows: readonly ChartRow[] }) {
  const t = useTranslations('timing.stages');
  const f = useFormats();
  const place = usePlaceName();
  const figures = useFigures();
  const ms = (value: number | undefined) => (value === undefined ? '–' : f.duration(value));
  const heads = [
    t('place'),
    t('count'),
    t('open'),
    'p5',
    'p25',
    'p50',
    'p75',
    'p95',
    t('usualP50'),
    t('usualP95'),
    t('usualCount'),
  ];
  return (
    <FigureTable label={t('title')} heads={heads}>
      {rows.map((row) => (
        <tr key={`${row.stage ?? ''}/${row.gate ?? ''}`}>
          <th scope="row">{place(row)}</th>
          <td className="num">{row.box ? f.number(row.box.count) : t('unseen')}</td>
          <td className="num">{f.number(row.box?.open ?? 0)}</td>
          <td className="num">{ms(row.box?.p5)}</td>
          <td className="num">{ms(row.box?.p25)}</td>
          <td className="num">{figures(row).p50}</td>
          <td className="num">{ms(row.box?.p75)}</td>
          <td className="num">{figures(row).p95}</td>
          <td className="num">{ms(row.usual?.p50)}</td>
          <td className="num">{figures(row).usual}</td>
          <td className="num">{f.number(figures(row).usualCount)}</td>
        </tr>
      ))}
    </FigureTable>
  );
}

const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

const isWhole = ({ stage, gate }: { stage?: string | undefined; gate?: string | undefined }) =>
  stage === undefined && gate === undefined;

const dwells = (rows: readonly SandboxRow[], now: number): number[] =>
  rows.flatMap(({ since }) => (since === undefined ? [] : [Math.max(0, now - since)]));

function worstOf(rows: readonly SandboxRow[], now: number, limits: LimitsInForce): Severity {
  const found = rows.map((row) => severityOf(row, now, limits));
  return found.includes('breach') ? 'breach' : found.includes('warn') ? 'warn' : 'calm';
}

/** Spread evenly by uid, so that the choice stays while members come and go. */
function sampleOf(rows: readonly SandboxRow[]): SandboxRow[] {
  return [...rows].sort((a, b) => (a.uid < b.uid ? -1 : 1)).slice(0, sampled);
}
