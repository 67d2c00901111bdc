import { setTimeout as sleep } from 'node:timers/promises';

/** What a reconcile asks for: nothing, or to be called again after that many milliseconds. */
export type Outcome = { requeueAfterMs?: number } | undefined;

/** How a reconcile ended, as controller-runtime counts it. */
export type PassResult = 'success' | 'error' | 'requeue' | 'requeue_after';

const firstBackoffMs = 5;
const lastBackoffMs = 1_000_000;
// setTimeout takes a 32 bit number; a later time is looked at again when that much has passed.
const longestTimerMs = 2_000_000_000;

/**
 * Keys waiting for a reconcile. A key is handled by one worker at a time; one that is added meanwhile runs again after.
 * Errors come back after 5 ms, doubling to 1000 s (controller-runtime's default rate limiter).
 */
export class WorkQueue {
  /** Keys that nobody works on yet, each with the time since when. */
  private readonly waiting = new Map<string, number>();
  /** Keys that are being worked on, each with the time since when. */
  private readonly active = new Map<string, number>();
  private readonly again = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly timers = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  private stopped = false;
  /** Each says which keys wait. */
  private readonly holds = new Set<(key: string) => boolean>();
  /** Passes before each reconcile. */
  slowMs = 0;
  private started = false;
  /** How often a key was added, and how often after a failure. */
  adds = 0;
  retries = 0;
  /** Told of every reconcile: how it ended, and for how many seconds the key had waited and was worked on. */
  onPass: (result: PassResult, waited: number, took: number) => void = () => {};

  constructor(
    readonly name: string,
    readonly workers: number,
    private readonly reconcile: (key: string) => Promise<Outcome>,
    /** How much later a change is looked at, as a watch of a busy cluster would bring it: what changed meanwhile is seen at once. */
    private readonly pickUpMs = 0,
  ) {}

  /** Begins to work; keys added before wait for it. */
  start(): void {
    setTimeout(() => {
      this.started = true;
      this.pump();
    }, this.pickUpMs);
  }

  add(key: string): void {
    if (this.stopped) return;
    if (this.pickUpMs > 0) setTimeout(() => this.ready(key), this.pickUpMs);
    else this.ready(key);
  }

  private ready(key: string): void {
    if (this.stopped) return;
    this.adds += 1;
    if (this.active.has(key)) this.again.add(key);
    else if (!this.waiting.has(key)) this.waiting.set(key, Date.now());
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
        this.ready(key);
      },
      Math.min(Math.max(0, ms), longestTimerMs),
    );
    this.timers.set(key, { at, timer });
  }

  /** Keeps keys waiting until the returned function is called. */
  hold(held: (key: string) => boolean): () => void {
    this.holds.add(held);
    return () => {
      this.holds.delete(held);
      this.pump();
    };
  }

  /** Looks at every key anew, as a process does that has just begun: no failure is remembered, and no time to come back. */
  restart(keys: Iterable<string>): void {
    this.failures.clear();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.waiting.clear();
    this.adds = 0;
    this.retries = 0;
    for (const key of keys) this.add(key);
  }

  get depth(): number {
    return this.waiting.size;
  }

  get working(): number {
    return this.active.size;
  }

  /** How long the keys at work have been worked on. */
  unfinishedSeconds(now = Date.now()): { longest: number; all: number } {
    const seconds = [...this.active.values()].map((since) => (now - since) / 1000);
    return { longest: Math.max(0, ...seconds), all: seconds.reduce((sum, one) => sum + one, 0) };
  }

  stop(): void {
    this.stopped = true;
    this.waiting.clear();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private pump(): void {
    if (!this.started) return;
    for (const [key, since] of this.waiting) {
      if (this.active.size >= this.workers) return;
      if (this.holds.size > 0 && [...this.holds].some((held) => held(key))) continue;
      this.waiting.delete(key);
      this.active.set(key, Date.now());
      void this.work(key, since);
    }
  }

  private async work(key: string, since: number): Promise<void> {
    const start = Date.now();
    let result: PassResult = 'success';
    try {
      if (this.slowMs > 0) await sleep(this.slowMs);
      const outcome = await this.reconcile(key);
      this.failures.delete(key);
      if (outcome?.requeueAfterMs !== undefined) {
        result = outcome.requeueAfterMs === 0 ? 'requeue' : 'requeue_after';
        this.addAfter(key, outcome.requeueAfterMs);
      }
    } catch (error) {
      result = 'error';
      this.retries += 1;
      const count = this.failures.get(key) ?? 0;
      this.failures.set(key, count + 1);
      if (!this.stopped && count === 8) console.warn(`${this.name} ${key}: still failing: ${String(error)}`);
      this.addAfter(key, Math.min(firstBackoffMs * 2 ** Math.min(count, 30), lastBackoffMs));
    } finally {
      this.onPass(result, (start - since) / 1000, (Date.now() - start) / 1000);
      this.active.delete(key);
      if (this.again.delete(key)) this.ready(key);
      this.pump();
    }
  }
}
