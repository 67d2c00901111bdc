import type { ClockSource } from './clock';

/** The part of an EventSource that is used. */
export interface StreamSource {
  onmessage: ((event: { data: string }) => void) | null;
  onerror: (() => void) | null;
  close(): void;
}

/** What a tab offers; tests bring their own. */
export interface LiveEnvironment extends ClockSource {
  fetch(url: string, signal: AbortSignal): Promise<Response>;
  openStream(url: string): StreamSource;
  /**
   * Calls `granted`, at once or later, when this tab may hold a stream. Returns how to give that back, or to wait no
   * longer.
   */
  acquireStream(granted: () => void): () => void;
  hidden(): boolean;
  onVisibilityChange(listener: () => void): () => void;
  /** Runs once before the next paint, or soon when nothing is painted. */
  onFrame(run: () => void): void;
  random(): number;
}

/** Of the six connections that a browser opens to one server over HTTP/1.1; the others stay free for requests. */
const streamsAtMost = 4;

export const browserEnvironment: LiveEnvironment = {
  steady: () => performance.now(),
  wall: () => Date.now(),
  fetch: (url, signal) => fetch(url, { signal }),
  openStream(url) {
    const events = new EventSource(url);
    const source: StreamSource = { onmessage: null, onerror: null, close: () => events.close() };
    events.onmessage = (event) => source.onmessage?.({ data: String(event.data) });
    events.onerror = () => source.onerror?.();
    return source;
  },
  acquireStream(granted) {
    // Tabs of one browser know of each other through locks, which only a secure address has.
    if (!navigator.locks) {
      granted();
      return () => undefined;
    }
    const waiting = new AbortController();
    let done: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      done = resolve;
    });
    const take = () => {
      // Two can be granted at once; one is enough.
      if (waiting.signal.aborted) return;
      waiting.abort();
      granted();
      return ended;
    };
    for (let slot = 0; slot < streamsAtMost; slot += 1) {
      const { signal } = waiting;
      navigator.locks.request(`agents-console-stream-${slot}`, { signal }, take).catch(() => {
        // Aborted when another slot was faster, or nobody waits any more. Else this page may have no locks at all.
        if (signal.aborted) return;
        waiting.abort();
        granted();
      });
    }
    return () => {
      waiting.abort();
      done();
    };
  },
  hidden: () => document.hidden,
  onVisibilityChange(listener) {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
  onFrame(run) {
    // A hidden tab gets no frames.
    if (document.hidden) setTimeout(run);
    else requestAnimationFrame(run);
  },
  random: () => Math.random(),
};
