import 'server-only';
import { groupBy } from '@/lib/domain/group-by';
import { wholeSecond } from './follow';
import { ended, isSamePlace, type Stay } from './stay';

interface Sides {
  /** What the database has as not ended. */
  open: readonly Stay[];
  /** What this process has seen, and not stored. */
  seen: readonly Stay[];
  /** Up to then the database has everything. */
  stored: number;
  /** Since then this process has watched. */
  watchedFrom: number;
}

/**
 * Joins what one process has stored with what another has seen. Where the second one watched already, the first stay that it
 * saw after `stored` goes on from the stored one; where nobody watched for a while, only a start that the cluster itself tells,
 * or an object that did not change, proves that a state is still the same.
 * @returns `over`: stored stays that have ended; `same`: stays of this process, and what to hold in the place of each, as it
 * goes on from a stored one
 */
export function reconcile({ open, seen, stored, watchedFrom }: Sides): { over: Stay[]; same: Map<Stay, Stay> } {
  const bySandbox = groupBy(seen, ({ uid }) => uid);
  const over: Stay[] = [];
  const same = new Map<Stay, Stay>();
  for (const old of open) {
    const stays = (bySandbox.get(old.uid) ?? []).toSorted((a, b) => a.seen - b.seen);
    if (stays.some((stay) => stay.seen === old.seen)) continue;
    const next = stays.find(({ end }) => end === undefined || end.at > stored);
    const hasWatched = watchedFrom <= stored;
    const isSameState = next !== undefined && (hasWatched ? next.state === old.state : isProvenSame(old, next));
    if (next && isSameState && isSamePlace(old, next)) {
      const { seen: first, from, fromSource, stageFrom } = old;
      same.set(next, { ...next, seen: first, from, fromSource, stageFrom, stateFrom: old.stateFrom ?? next.stateFrom });
    } else if (next && hasWatched) {
      over.push(ended(old, next.from ?? next.seen, next));
    } else {
      over.push(ended(old, stored, isSameState ? next : undefined, true));
    }
  }
  return { over, same };
}

function isProvenSame(old: Stay, next: Stay): boolean {
  if (old.state !== next.state) return false;
  // Its row goes on from the start that is stored, which only the same resourceVersion allows.
  if (old.observed && old.observed.since === next.observed?.since) return true;
  if (old.stateFrom === undefined || next.stateFrom === undefined) return false;
  return Math.abs(old.stateFrom - next.stateFrom) <= wholeSecond;
}
