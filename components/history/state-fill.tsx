'use client';

import { useId } from 'react';
import { stateLooks } from '@/components/common';
import type { DisplayState } from '@/lib/contracts/rows';

/** States of one tone: the weak share of it, or a pattern, as a path in a square of six pixels. */
const weak: ReadonlySet<DisplayState> = new Set(['Available', 'Succeeded']);
const patterns: Partial<Record<DisplayState, string>> = {
  Creating: 'M0 6 6 0',
  Terminating: 'M0 6 6 0',
  Initialising: 'M0 3H6',
  Pausing: 'M0 3H6',
  NotReady: 'M3 0V6',
  Other: 'M2 3H4',
};

/** Names a state's fill in one drawing. */
export const fillId = (drawing: string, state: DisplayState) => `${drawing}${state}`;

/** The fill of a state: its tone, and a pattern where another state has the same tone. Inside `<defs>`. */
export function StateFill({ drawing, state }: { drawing: string; state: DisplayState }) {
  const tone = `var(--${stateLooks[state].tone})`;
  const path = patterns[state];
  return (
    <pattern id={fillId(drawing, state)} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill="var(--bg-surface)" />
      <rect width="6" height="6" fill={tone} fillOpacity={path ? 0.16 : weak.has(state) ? 0.45 : 1} />
      {path ? <path d={path} stroke={tone} strokeWidth="2" strokeLinecap="square" fill="none" /> : null}
    </pattern>
  );
}

/** What a fill means, beside its word. */
export function StateSwatch({ state }: { state: DisplayState }) {
  const drawing = useId();
  return (
    <svg className="state-fill" width="12" height="12" aria-hidden="true">
      <defs>
        <StateFill drawing={drawing} state={state} />
      </defs>
      <rect width="12" height="12" rx="2" fill={`url(#${fillId(drawing, state)})`} />
    </svg>
  );
}
