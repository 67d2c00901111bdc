import 'server-only';

const firstMs = 1_000;
const longestMs = 60_000;

/** Attempts that failed, by key: each waits twice as long as the one before. */
export class Retries {
  #attempts = new Map<string, number>();
  #timers = new Set<NodeJS.Timeout>();

  /** From the first failure until {@link forget}. */
  isFailing(key: string): boolean {
    return this.#attempts.has(key);
  }

  later(key: string, again: () => void): void {
    const attempts = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempts + 1);
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        again();
      },
      Math.min(firstMs * 2 ** attempts, longestMs),
    ).unref();
    this.#timers.add(timer);
  }

  forget(key: string): void {
    this.#attempts.delete(key);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
