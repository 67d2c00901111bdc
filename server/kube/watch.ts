import 'server-only';
import type { z } from 'zod';
import type { KubeClient } from './client';
import { httpError, isTooLargeVersion, KubeError } from './errors';
import { watchEvent } from './ingest';
import type { KindState } from './kind-state';
import { selectorOf, type Watched } from './list-all';
import type { Timing } from './timing';

export type WatchEvent = z.infer<typeof watchEvent>;

/**
 * Watches from a version on; resolves when the API server ends the watch in good order. What is heard, and that it is
 * open, is told to `into.state`.
 * @param from undefined: from wherever the API server likes
 * @throws {KubeError} also when nothing is heard for as long as `timing.silence`
 */
export async function watch(
  client: Pick<KubeClient, 'stream'>,
  watched: Watched,
  timing: Timing,
  stop: AbortSignal,
  from: string | undefined,
  into: { state: KindState; event(event: WatchEvent): void },
): Promise<void> {
  const { state } = into;
  const seconds = (timing.watch.from + Math.random() * (timing.watch.to - timing.watch.from)) / 1000;
  const silence = new AbortController();
  const watchdog = setInterval(() => {
    if (state.silence >= timing.silence) silence.abort();
  }, timing.silence / 10);
  state.listen();
  try {
    await client.stream(
      {
        method: 'GET',
        path: watched.path,
        query: {
          ...selectorOf(watched),
          watch: true,
          allowWatchBookmarks: true,
          timeoutSeconds: Math.ceil(seconds),
          ...(from === undefined ? {} : { resourceVersion: from }),
        },
        timeoutMs: Math.min(timing.silence, timing.listTimeout),
        signal: AbortSignal.any([stop, silence.signal]),
      },
      {
        onOpen: () => {
          state.watching(true);
          state.prove();
          state.publish('live');
        },
        onBytes: () => state.prove(),
        onLine: (line) => into.event(readEvent(line)),
      },
    );
  } catch (error) {
    if (!silence.signal.aborted || stop.aborted) throw error;
    const quiet = Math.round(timing.silence / 1000);
    throw new KubeError({ cause: 'timeout', message: `nothing was heard on the watch for ${quiet} s` });
  } finally {
    clearInterval(watchdog);
    state.watching(false);
  }
}

function readEvent(line: string): WatchEvent {
  const event = parseEvent(line);
  if (event.type === 'ERROR') throw watchError(event.object);
  return event;
}

function parseEvent(line: string): WatchEvent {
  try {
    return watchEvent.parse(JSON.parse(line));
  } catch {
    // Not the line itself: it may hold what ingest would have dropped, and this message is shown.
    throw httpError(200, `this is no watch event (${line.length} characters)`);
  }
}

/** An ERROR event holds a Status: 410 when the version is too old (over HTTP 200), others by chance. */
function watchError(object: unknown): KubeError {
  const error = httpError(0, object);
  const status = error.kubeStatus?.code ?? (isTooLargeVersion(error) ? 504 : 500);
  return httpError(status, object);
}
