import { type LimitsInForce, limitsOf } from './limits';
import { dwellOf, type Judged, overdueBy, severityOf } from './severity';

const rank = { calm: 0, warn: 1e6, breach: 2e6 };

/**
 * What "most overdue first" sorts by, larger first: severity, then dwell as a share of the state's own breach limit,
 * so that states with different limits compare. Undefined for what may last for ever and for calm rows whose start is
 * unknown: they come last.
 */
export function urgencyOf(row: Judged, now: number, limits: LimitsInForce): number | undefined {
  const severity = severityOf(row, now, limits);
  const over = overdueBy(row, now, limits);
  if (over) return rank[severity] + over.ratio;
  const own = limitsOf(row, limits);
  const { ms } = dwellOf(row, now);
  return own && ms !== undefined ? ms / own.breach : undefined;
}

/** The rail ends at ten times the breach; one old straggler must not outweigh forty sessions. */
export const longestRatio = 10;

/** Dwell as a share of the breach limit of its state; at least 1 for what is red without a clock, 0 without a limit. */
export function pastOf(row: Judged, now: number, limits: LimitsInForce): number {
  const over = overdueBy(row, now, limits);
  if (over) return over.ratio;
  const own = limitsOf(row, limits);
  return own ? (dwellOf(row, now).ms ?? 0) / own.breach : 0;
}

/**
 * Orders what {@link urgencyOf} holds equal, such as everything that is red at once: larger for the longer dwell. By the
 * start, not by a clock, so that it never changes while nothing happens.
 */
export function longerOf({ since }: Pick<Judged, 'since'>): number | undefined {
  return since === undefined ? undefined : -since;
}

/** In a state with a limit and within it. */
export function isInProgress(row: Judged, now: number, limits: LimitsInForce): boolean {
  return limitsOf(row, limits) !== undefined && severityOf(row, now, limits) === 'calm';
}
