import 'server-only';
import type { DurationGroup, DurationsReply } from '@/lib/contracts/history';
import { type DurationQuestion, durationsOf } from '../../history/durations';
import { once } from '../../once';
import { ok, type Result } from '../result';
import { asked, type HistoryContext, namespacesSeen, refusedUnchecked } from './history-context';

export interface DurationsQuery {
  namespaces?: readonly string[] | undefined;
  pool?: { ns: string; name: string } | undefined;
  node?: string | undefined;
  revision?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  by: DurationGroup;
}

const dayMs = 24 * 3_600_000;
/** Pages that look at the same figures share one answer of the database, and ask again for the latest no sooner. */
const sharedMs = 10_000;

/** How long stays lasted that ended in a stretch of time, where the person may see sandboxes. */
export async function readDurations(ctx: HistoryContext, query: DurationsQuery): Promise<Result<DurationsReply>> {
  const unchecked = refusedUnchecked(ctx, query);
  if (unchecked) return unchecked;
  const time = ctx.now();
  const to = query.to ?? time;
  const from = query.from ?? to - dayMs;
  const namespaces = namespacesSeen(ctx, query.namespaces);
  const { by, pool, node, revision } = query;
  const { found, store } = await asked(ctx.recorder, () =>
    share(ctx, JSON.stringify([namespaces, query]), { namespaces, pool, node, revision, from, to, by }),
  );
  return ok({ time, store, ...(found ?? { from, to, figures: [] }), by });
}

/** The figures, and of which time they are: a question may have been asked some seconds ago. */
type Answer = Pick<DurationsReply, 'from' | 'to' | 'figures'>;

interface Shared {
  answers: Map<string, Promise<Answer>>;
  last: Promise<unknown>;
}

function share({ history }: HistoryContext, key: string, question: DurationQuestion): Promise<Answer> {
  const all = once('history.durations', () => new WeakMap<object, Shared>());
  const shared = all.get(history) ?? { answers: new Map<string, Promise<Answer>>(), last: Promise.resolve() };
  all.set(history, shared);
  const known = shared.answers.get(key);
  if (known) return known;
  // One after the other: while it is counted, each holds all the durations of its stretch.
  const { from, to } = question;
  const answer = shared.last.then(async () => ({ from, to, figures: await durationsOf(history, question) }));
  shared.last = answer.catch(() => undefined);
  shared.answers.set(key, answer);
  const forget = () => shared.answers.delete(key);
  answer.then(() => setTimeout(forget, sharedMs).unref(), forget);
  return answer;
}
