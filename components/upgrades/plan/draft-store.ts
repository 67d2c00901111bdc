import { z } from 'zod';
import { type PlanDraft, planDraft } from './draft';

/** The unsent drafts of one cluster, the open one first. They stay in this browser until sent or discarded. */

/** More than this many unsent plans are not plans any more: the oldest goes. */
const most = 10;

const keyOf = (cluster: string) => `upgrade-plan:${cluster}`;

/** Drafts that are readable; others are passed over. */
const stored = z
  .array(planDraft.optional().catch(undefined))
  .transform((drafts) => drafts.filter((draft) => draft !== undefined));

export function readDrafts(cluster: string): PlanDraft[] {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(keyOf(cluster)) ?? '[]'));
  } catch {
    return [];
  }
}

/**
 * Writes this tab's drafts down; those of other tabs stay behind them.
 * @param gone ids that were sent or discarded here
 * @returns false when the browser keeps nothing: private windows, a full disk
 */
export function writeDrafts(cluster: string, own: readonly PlanDraft[], gone: ReadonlySet<string>): boolean {
  try {
    const known = new Set([...own.map(({ id }) => id), ...gone]);
    const drafts = [...own, ...readDrafts(cluster).filter(({ id }) => !known.has(id))];
    if (drafts.length === 0) localStorage.removeItem(keyOf(cluster));
    else localStorage.setItem(keyOf(cluster), JSON.stringify(drafts.slice(0, most)));
    return true;
  } catch {
    return false;
  }
}

/** Puts a draft first. What was only opened and never edited makes room; what was typed is kept behind it. */
export function openDraft(cluster: string, draft: PlanDraft): void {
  const untouched = readDrafts(cluster).filter(({ edited }) => !edited);
  writeDrafts(cluster, [draft], new Set(untouched.map(({ id }) => id)));
}
