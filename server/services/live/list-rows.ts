import 'server-only';
import type { Hub, View } from '@/server/live/hub';
import { once } from '@/server/once';
import { type Result, refuse } from '../result';
import { type ViewQuestion, viewOf } from './view';

/** The first list of a cluster may take longer; then the answer says `syncing`, and rows follow through the stream. */
const patienceMs = 5_000;
/** Tabs that come back together, after a restart of the console, share one list. */
const sharedMs = 1_000;

type Shared = { at: number; text: string };

export interface ListSource {
  hub: Pick<Hub, 'list'>;
  cluster: { ready(timeoutMs: number): Promise<void>; prove(): Promise<void> };
}

/** Every row of a scope with the cursor to continue from: thousands of rows, so it is an answer ready to send. */
export async function listRows(
  { hub, cluster }: ListSource,
  question: ViewQuestion,
): Promise<Result<never> | Response> {
  // Somebody waits: a cluster that is back is noticed now.
  void cluster.prove();
  await cluster.ready(patienceMs);
  const view = await viewOf(question);
  if (view.empty) return refuse('forbidden', 'nothingListable', { person: question.principal.subject });
  // Next compresses it on the way out; it takes no content-encoding of a handler's own.
  return new Response(share(hub, view).text, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

function share(hub: Pick<Hub, 'list'>, view: View): Shared {
  const hubs = once('services.rows', () => new WeakMap<object, Map<string, Shared>>());
  const lists = hubs.get(hub) ?? new Map<string, Shared>();
  hubs.set(hub, lists);
  const known = lists.get(view.key);
  if (known && Date.now() - known.at < sharedMs) return known;
  const entry = { at: Date.now(), text: JSON.stringify(hub.list(view)) };
  lists.set(view.key, entry);
  setTimeout(() => lists.get(view.key) === entry && lists.delete(view.key), sharedMs).unref();
  return entry;
}
