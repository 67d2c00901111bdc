import 'server-only';
import type { DurationGroup, DurationsReply } from '@/lib/contracts/history';
import { type DurationQuestion, durationsOf } from '../../history/durations';
import { once } from '../../once';
import { ok, type Result } from '../result';
import { asked, type HistoryContext, namespacesSeen } from './history-context';

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
  const time = ctx.now();
  const to = query.to ?? time;
  const from = query.from ?? to - dayMs;
  const namespaces = namespacesSeen(ctx, query.namespaces);
  const { by, pool, node, revision } = query;
  const { found = [], store } = await asked(ctx.recorder, () =>
    share(ctx, JSON.stringify([namespaces, query]), { namespaces, pool, node, revision, from, to, by }),
  );
  return ok({ time, store, from, to, by, figures: found });
}

type Figures = ReturnType<typeof durationsOf>;

interface Shared {
  answers: Map<string, Figures>;
  last: Promise<unknown>;
}

function share({ history }: HistoryContext, key: string, question: DurationQuestion): Figures {
  const all = once('history.durations', () => new WeakMap<object, Shared>());
  const shared = all.get(history) ?? { answers: new Map<string, Figures>(), last: Promise.resolve() };
  all.set(history, shared);
  const known = shared.answers.get(key);
  if (known) return known;
  // One after the other: while it is counted, each holds all the durations of its stretch.
  const figures = shared.last.then(() => durationsOf(history, question));
  shared.last = figures.catch(() => undefined);
  shared.answers.set(key, figures);
  const forget = () => shared.answers.delete(key);
  figures.then(() => setTimeout(forget, sharedMs).unref(), forget);
  return figures;
}
