import 'server-only';
import { log } from '@/server/log';
import type { Hub, Outlet, Subscription, View } from './hub';

/** Past this many bytes that a browser has not taken, it gets nothing until it has. */
const highWaterMark = 256 * 1024;
const opening = new TextEncoder().encode(': stream\nretry: 2000\n\n');

export interface StreamOptions {
  hub: Hub;
  view: View;
  cursor: string;
  /** Aborted when the browser goes away. */
  signal: AbortSignal;
  /** Runs once, however the stream ends. */
  onEnd?: () => void;
}

/** The subscription of one browser as an answer of server-sent events, and the handle to it. */
export function sseResponse(options: StreamOptions): { response: Response; subscription(): Subscription | undefined } {
  let subscription: Subscription | undefined;
  let ended = false;

  const end = () => {
    if (ended) return;
    ended = true;
    subscription?.end();
    options.onEnd?.();
  };

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const outlet: Outlet = {
          write(chunk) {
            if (ended) return false;
            controller.enqueue(chunk);
            return (controller.desiredSize ?? 0) > 0;
          },
          close() {
            if (!ended) controller.close();
            end();
          },
        };
        if (options.signal.aborted) return outlet.close();
        options.signal.addEventListener('abort', outlet.close, { once: true });
        outlet.write(opening);
        subscription = options.hub.subscribe(options.view, options.cursor, outlet);
        log.debug({ key: 'live.subscribe', view: options.view.key, count: options.hub.subscribers });
      },
      pull() {
        subscription?.drained();
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark }),
  );

  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    // Nothing in between may hold events back: not the browser, not compression, not a proxy's buffer.
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  };
  return { response: new Response(body, { headers }), subscription: () => subscription };
}
