import 'server-only';

/** Every delay of a reflector in milliseconds, so that tests can shorten them. */
export interface Timing {
  /** No byte on a watch for this long: it is dead, list again. API servers send a bookmark about every minute. */
  silence: number;
  backoff: { first: number; most: number };
  /** A watch that lasted this long was healthy: the next failure starts counting anew. */
  healthy: number;
  /** A kind that is not served, or may not be listed, is asked for again after this. */
  absent: number;
  /** How long one watch is asked to last; a random time in between, so that kinds do not renew together. */
  watch: { from: number; to: number };
  listTimeout: number;
}

export const defaultTiming: Timing = {
  silence: 90_000,
  backoff: { first: 1_000, most: 30_000 },
  healthy: 30_000,
  absent: 30_000,
  watch: { from: 240_000, to: 360_000 },
  listTimeout: 60_000,
};

/** 1, 2, 4 … up to 30 s, of which a random half is waited at least; never less than the server asked for. */
export function backoff(timing: Timing, attempt: number, retryAfterSeconds = 0): number {
  const full = Math.min(timing.backoff.first * 2 ** attempt, timing.backoff.most);
  return Math.max(full * (0.5 + Math.random() / 2), retryAfterSeconds * 1000);
}

/** Waits, or ends at once when aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
