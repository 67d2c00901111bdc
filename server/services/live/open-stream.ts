import 'server-only';
import type { Hub } from '@/server/live/hub';
import { sseResponse } from '@/server/live/sse';
import { type Result, refuse } from '../result';
import { type ViewQuestion, viewOf } from './view';

const rightsEveryMs = 60_000;

export interface StreamRequest {
  cursor: string;
  /** Aborted when the browser goes away. */
  signal: AbortSignal;
}

/** A stream of changes from a cursor on. Rights are asked at the door and every minute; losing them ends it. */
export async function openStream(
  hub: Hub,
  question: ViewQuestion,
  { cursor, signal }: StreamRequest,
): Promise<Result<never> | Response> {
  const view = await viewOf(question);
  if (view.empty) return refuse('forbidden', 'nothingListable', { person: question.principal.subject });

  let recheck: NodeJS.Timeout | undefined;
  const { response, subscription } = sseResponse({
    hub,
    view,
    cursor,
    signal,
    onEnd: () => clearInterval(recheck),
  });
  // Without a subscription it has ended already: nobody would ever stop the timer.
  if (question.principal.impersonate && !signal.aborted && subscription()) {
    recheck = setInterval(async () => {
      if (!question.answers()) return;
      const now = await viewOf(question);
      if (now.empty) subscription()?.forbid();
      else if (now.key !== view.key) subscription()?.resync();
    }, rightsEveryMs);
    recheck.unref();
  }
  return response;
}
