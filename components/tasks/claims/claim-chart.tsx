'use client';

import { useQuery } from '@tanstack/react-query';
import type { ClaimTimes } from '@/lib/contracts/tasks';
import { boxOf, logScale } from '@/lib/domain/stage-durations';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, SectionHead } from '../../common';
import { BoxMarks, LogAxis, TickLines } from '../../history/log-track';
import { fewStays } from '../../history/stage-chart';
import { problemOf } from '../../writes/api';
import type { PoolName } from '../form/task-form';
import { claims } from '../queries';
import '../../history/time-charts.css';

const shownRows = 8;

/** How long claims took, warm and cold side by side, as measured here. `pool`: whose come first. */
export function ClaimChart({ pool }: { pool: PoolName | undefined }) {
  const t = useTranslations('tasks.claims');
  const { data, error } = useQuery(claims());
  if (!data && !error) return null;
  const isOfPool = (one: ClaimTimes) => one.pool.ns === pool?.ns && one.pool.name === pool?.name;
  const keyOf = ({ pool: { ns, name }, origin }: ClaimTimes) => `${ns}/${name} ${origin === 'warm' ? 0 : 1}`;
  const rows = (data ?? [])
    .toSorted((a, b) => Number(isOfPool(b)) - Number(isOfPool(a)) || (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, shownRows);
  return (
    <section className="sec" aria-label={t('title')}>
      <SectionHead title={t('title')} hint={rows.length > 0 ? t('hint') : undefined} />
      {rows.length > 0 ? (
        <Rows rows={rows} />
      ) : (
        <p className="task-part dim">{error ? <SafeText text={problemOf(error).message} /> : t('none')}</p>
      )}
    </section>
  );
}

function Rows({ rows }: { rows: readonly ClaimTimes[] }) {
  const t = useTranslations('tasks.claims');
  const f = useFormats();
  const { ticks, x } = logScale(Math.max(...rows.map(({ max }) => max)), Math.min(...rows.map(({ min }) => min)));
  return (
    <div className="tc task-claims">
      <LogAxis
        ticks={ticks}
        x={x}
        heads={
          <>
            <span className="m1">p50</span>
            <span>p95</span>
            <span>{t('count')}</span>
          </>
        }
      />
      {rows.map(({ pool, origin, n, last, p50, p95, min, max }) => {
        const box = boxOf(last);
        const name = t(`row.${origin}`, { pool: pool.name });
        const figures = { p50: f.duration(p50), p95: f.duration(p95), min: f.duration(min), max: f.duration(max) };
        return (
          <div key={`${pool.ns}/${pool.name}/${origin}`} className="tr bp">
            <span className="lab" title={`${pool.ns}/${pool.name}`}>
              {name}
            </span>
            <span className="trk" role="img" aria-label={t('spoken', { name, count: n, ...figures })}>
              <TickLines ticks={ticks} x={x} />
              {box ? <BoxMarks box={box} x={x} /> : null}
            </span>
            <span className="val">
              <b className="m1">{figures.p50}</b>
              <b>{n < fewStays ? <span className="dim">{t('few')}</span> : figures.p95}</b>
              <span>{f.number(n)}</span>
            </span>
          </div>
        );
      })}
      <p className="task-claims-note dim">{t('note')}</p>
    </div>
  );
}
