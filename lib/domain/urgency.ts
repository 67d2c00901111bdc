import { limitsOf } from './limits';
import { dwellOf, overdueBy, severityOf } from './severity';

const rank = { calm: 0, warn: 1e6, breach: 2e6 };

type Judged = Parameters<typeof severityOf>[0];

/**
 * What "most overdue first" sorts by, larger first: severity, then dwell as a share of the state's own breach limit,
 * so that states with different limits compare. Undefined for what may last for ever and for calm rows whose start is
 * unknown: they come last.
 */
export function urgencyOf(row: Judged, now: number): number | undefined {
  const severity = severityOf(row, now);
  const over = overdueBy(row, now);
  if (over) return rank[severity] + over.ratio;
  const limits = limitsOf(row.state);
  const { ms } = dwellOf(row, now);
  return limits && ms !== undefined ? ms / limits.breach : undefined;
}

/**
 * Orders what {@link urgencyOf} holds equal, such as everything that is red at once: larger for the longer dwell. By the
 * start, not by a clock, so that it never changes while nothing happens.
 */
export function longerOf({ since }: Judged): number | undefined {
  return since === undefined ? undefined : -since;
}

/** In a state with a limit and within it. */
export function isInProgress(row: Judged, now: number): boolean {
  return limitsOf(row.state) !== undefined && severityOf(row, now) === 'calm';
}
