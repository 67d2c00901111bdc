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
  hidden(): boolean;
  onVisibilityChange(listener: () => void): () => void;
  /** Runs once before the next paint, or soon when nothing is painted. */
  onFrame(run: () => void): void;
  random(): number;
}

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
