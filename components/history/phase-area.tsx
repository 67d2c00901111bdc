'use client';

import { useId } from 'react';
import { Area, AreaChart, ReferenceArea, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import type { DisplayState } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import type { Gap } from './gaps-note';
import { fillId, StateFill } from './state-fill';

/** One moment: its time, epoch ms, and how many were in each state; null: nobody watched. */
export type PhaseSample = { at: number } & Partial<Record<DisplayState, number | null>>;

/** Counts per state on top of each other; torn where nobody watched. Decorative: the counts of the chosen moment stand under it in words. */
export function PhaseArea({
  samples,
  gaps,
  states,
  chosen,
}: {
  samples: readonly PhaseSample[];
  gaps: readonly Gap[];
  /** From the bottom up. */
  states: readonly DisplayState[];
  /** Epoch ms. */
  chosen: number;
}) {
  const f = useFormats();
  const drawing = useId();
  const hatch = `${drawing}gap`;
  const short = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0) < 600_000;
  return (
    <div className="replay" aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 180 }}>
        <AreaChart data={[...samples]} margin={{ top: 6, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <XAxis
            dataKey="at"
            type="number"
            domain={['dataMin', 'dataMax']}
            tickFormatter={short ? (at: number) => f.time(at).split(' ')[0] ?? '' : f.minutes}
            tickLine={false}
            axisLine={{ stroke: 'var(--line-1)' }}
            minTickGap={48}
            height={20}
          />
          <YAxis allowDecimals={false} tickLine={false} axisLine={false} width={34} />
          {states.map((state) => (
            <Area
              key={state}
              dataKey={state}
              stackId="all"
              type="stepAfter"
              isAnimationActive={false}
              stroke="var(--bg-surface)"
              strokeWidth={1.25}
              fill={`url(#${fillId(drawing, state)})`}
              fillOpacity={1}
            />
          ))}
          <defs>
            {states.map((state) => (
              <StateFill key={state} drawing={drawing} state={state} />
            ))}
            <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line y2="6" stroke="var(--fg-3)" strokeWidth="1" />
            </pattern>
          </defs>
          {gaps.map(({ from, to }) => (
            <ReferenceArea key={from} x1={from} x2={to} fill={`url(#${hatch})`} fillOpacity={0.6} ifOverflow="hidden" />
          ))}
          <ReferenceLine x={chosen} stroke="var(--fg-1)" strokeDasharray="3 3" />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}
