/** What a reconcile asks for: nothing, or to be called again after that many milliseconds. */
export type Outcome = { requeueAfterMs?: number } | undefined;

const firstBackoffMs = 5;
const lastBackoffMs = 1_000_000;
// setTimeout takes a 32 bit number; a later time is looked at again when that much has passed.
const longestTimerMs = 2_000_000_000;

/**
 * Keys waiting for a reconcile. A key is handled by one worker at a time; one that is added meanwhile runs again after.
 * Errors come back after 5 ms, doubling to 1000 s (controller-runtime's default rate limiter).
 */
export class WorkQueue {
  private readonly waiting = new Set<string>();
  private readonly active = new Set<string>();
  private readonly again = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly timers = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  private stopped = false;
  private started = false;

  constructor(
    private readonly name: string,
    private readonly workers: number,
    private readonly reconcile: (key: string) => Promise<Outcome>,
  ) {}

  /** Begins to work; keys added before wait for it. */
  start(): void {
    this.started = true;
    this.pump();
  }

  add(key: string): void {
    if (this.stopped) return;
    if (this.active.has(key)) this.again.add(key);
    else this.waiting.add(key);
    this.pump();
  }

  /** Adds the key after a while, or earlier when an earlier time is already set. */
  addAfter(key: string, ms: number): void {
    if (this.stopped) return;
    const at = Date.now() + ms;
    const set = this.timers.get(key);
    if (set !== undefined && set.at <= at) return;
    if (set !== undefined) clearTimeout(set.timer);
    const timer = setTimeout(
      () => {
        this.timers.delete(key);
        this.add(key);
      },
      Math.min(Math.max(0, ms), longestTimerMs),
    );
    this.timers.set(key, { at, timer });
  }

  stop(): void {
    this.stopped = true;
    this.waiting.clear();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private pump(): void {
    if (!this.started) return;
    for (const key of this.waiting) {
      if (this.active.size >= this.workers) return;
      this.waiting.delete(key);
      this.active.add(key);
      void this.work(key);
    }
  }

  private async work(key: string): Promise<void> {
    try {
      const outcome = await this.reconcile(key);
      this.failures.delete(key);
      if (outcome?.requeueAfterMs !== undefined) this.addAfter(key, outcome.requeueAfterMs);
    } catch (error) {
      const count = this.failures.get(key) ?? 0;
      this.failures.set(key, count + 1);
      if (!this.stopped && count === 8) console.warn(`${this.name} ${key}: still failing: ${String(error)}`);
      this.addAfter(key, Math.min(firstBackoffMs * 2 ** Math.min(count, 30), lastBackoffMs));
    } finally {
      this.active.delete(key);
      if (this.again.delete(key)) this.add(key);
      this.pump();
    }
  }
}
