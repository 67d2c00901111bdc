import { stateLooks } from '@/components/common';
import type { DisplayState } from '@/lib/contracts/rows';

/** Shares of two states of one tone that stand beside each other. */
const weaker: ReadonlySet<DisplayState> = new Set(['Available', 'Initialising', 'Pausing', 'Terminating', 'Succeeded']);

/** The tone of a state as a fill; states never differ by it alone, their order and counts stand beside it. */
export function colorOf(state: DisplayState): string {
  const tone = `var(--${stateLooks[state].tone})`;
  return weaker.has(state) ? `color-mix(in oklab, ${tone} 45%, var(--bg-surface))` : tone;
}
