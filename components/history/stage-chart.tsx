'use client';

import { severityTone } from '@/components/common';
import type { Limits } from '@/lib/domain/limits';
import type { Severity } from '@/lib/domain/severity';
import { logScale, type StageRow } from '@/lib/domain/stage-durations';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { at } from './as-chart';
import { BoxMarks, LogAxis, TickLines } from './log-track';
import { usePlaceName } from './place-name';

/** A row of the chart: a stage or gate, or the state as a whole, which alone has limits. */
export interface ChartRow extends StageRow {
  state: string;
  severity: Severity;
  limits?: Limits;
}

/** A percentile of 95 means something from about so many on. */
export const fewStays = 20;

const isFew = (usual: StageRow['usual']) => usual?.p95 !== undefined && usual.count < fewStays;
/** Whether one of them is drawn as hardly known. */
export const anyFew = (rows: readonly StageRow[]) => rows.some(({ usual }) => isFew(usual));

/** Milliseconds as the figures of a row say them; an open one is at least that long. */
export function useFigures() {
  const f = useFormats();
  return ({ box, usual }: StageRow) => ({
    p50: box ? f.duration(box.p50, { atLeast: box.open > 0 }) : '–',
    p95: box ? f.duration(box.p95, { atLeast: box.open > 0 }) : '–',
    usual: usual?.p95 === undefined ? '–' : f.duration(usual.p95),
    /** Of so many; of few, their p95 is little more than the longest of them. */
    usualCount: usual?.count ?? 0,
    isFew: isFew(usual),
  });
}

/** Box plots of stages on a log scale, before the band of what is usual. The numbers beside them say the same. */
export function StageChart({ rows }: { rows: readonly ChartRow[] }) {
  const t = useTranslations('timing.stages');
  const longest = Math.max(
    0,
    ...rows
      .flatMap(({ box, usual, limits }) => [box?.max ?? 0, usual?.p95 ?? 0, limits?.breach ?? 0])
      .filter(Number.isFinite),
  );
  const { ticks, x } = logScale(longest);
  return (
    <div className="tc">
      <LogAxis
        ticks={ticks}
        x={x}
        heads={
          <>
            <span>p50</span>
            <span className="m1">p95</span>
            <span>{t('usualP95')}</span>
          </>
        }
      />
      {rows.map((row) => (
        <Row key={`${row.stage ?? ''}/${row.gate ?? ''}`} row={row} ticks={ticks} x={x} />
      ))}
    </div>
  );
}

function Row({ row, ticks, x }: { row: ChartRow; ticks: readonly number[]; x: (ms: number) => number }) {
  const t = useTranslations('timing.stages');
  const place = usePlaceName()(row);
  const figures = useFigures()(row);
  const { box, usual, limits, severity } = row;
  const tone = severityTone(severity);
  const span = (from: number, to: number) => ({ left: at(x(from)), width: at(x(to) - x(from)) });
  return (
    <div className="tr bp" data-tone={box ? tone : undefined}>
      <span className={box ? 'lab' : 'lab dim'} title={place}>
        {place}
      </span>
      <span
        className="trk"
        role="img"
        aria-label={t('spoken', {
          place,
          p50: figures.p50,
          p95: figures.p95,
          usual: figures.usual,
          count: figures.usualCount,
        })}
      >
        <TickLines ticks={ticks} x={x} />
        {usual?.p50 !== undefined && usual.p95 !== undefined ? (
          <i className={figures.isFew ? 'band few' : 'band'} style={span(usual.p50, usual.p95)} />
        ) : null}
        {box ? (
          <>
            <BoxMarks box={box} x={x} />
            {box.open > 0 ? <i className="open" style={{ left: at(x(box.p95)) }} /> : null}
          </>
        ) : (
          <em style={{ left: at(Math.min(0.6, x(usual?.p95 ?? 0) + 0.02)) }}>{t('unseen')}</em>
        )}
        {limits ? (
          <>
            <i className="slo2" data-tone="attention" style={{ left: at(x(limits.warn)) }} />
            {Number.isFinite(limits.breach) ? (
              <i className="slo2" data-tone="breach" style={{ left: at(x(limits.breach)) }} />
            ) : null}
          </>
        ) : null}
      </span>
      <span className="val">
        <b data-tone={tone}>{figures.p50}</b>
        <b className="m1" data-tone={tone}>
          {figures.p95}
        </b>
        <span title={t('usualOf', { count: figures.usualCount })}>
          {figures.usual}
          {figures.isFew ? <span className="dim"> {t('few', { count: figures.usualCount })}</span> : null}
        </span>
      </span>
    </div>
  );
}
