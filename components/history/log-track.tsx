'use client';

import type { ReactNode } from 'react';
import type { Box } from '@/lib/domain/stage-durations';
import { useFormats } from '@/lib/i18n';
import { at } from './as-chart';

/** A log scale of times, as `logScale` makes it. */
type Scale = { ticks: readonly number[]; x: (ms: number) => number };

/** The head of a chart of box plots: its times, and what the figures beside it are. */
export function LogAxis({ ticks, x, heads }: Scale & { heads: ReactNode }) {
  const f = useFormats();
  return (
    <div className="tr ax" aria-hidden="true">
      <span />
      <span className="trk">
        {ticks.map((tick, index) => (
          <span key={tick} className={index % 2 === 1 ? 'hide-m' : undefined} style={{ left: at(x(tick)) }}>
            {tick < 1_000 ? f.duration(tick) : f.coarse(tick)}
          </span>
        ))}
      </span>
      <span className="val">{heads}</span>
    </div>
  );
}

export const TickLines = ({ ticks, x }: Scale) =>
  ticks.map((tick) => <i key={tick} className="gl" style={{ left: at(x(tick)) }} />);

/** Line: p5 to p95; box: p25 to p75; mark: the median. */
export function BoxMarks({ box, x }: { box: Box } & Pick<Scale, 'x'>) {
  const span = (from: number, to: number) => ({ left: at(x(from)), width: at(x(to) - x(from)) });
  return (
    <>
      <i className="wh" style={span(box.p5, box.p95)} />
      <i className="box" style={span(box.p25, box.p75)} />
      <i className="med" style={{ left: at(x(box.p50)) }} />
    </>
  );
}
