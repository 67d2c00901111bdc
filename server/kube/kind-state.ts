import 'server-only';
import type { KindFreshness } from '@/lib/contracts/stream';

/** What is known of how current a kind is, and the proofs of it. Times are of this process's clock. */
export class KindState {
  #kind: string;
  #changed: () => void;
  #now: () => number;
  #state: KindFreshness['state'] = 'syncing';
  #since: number | undefined;
  #reason: string | undefined;
  #provenAt: number | undefined;
  #heardAt = 0;
  #watching = false;

  constructor(kind: string, now: () => number, changed: () => void) {
    this.#kind = kind;
    this.#now = now;
    this.#changed = changed;
  }

  /** Time since anything was heard of this kind. */
  get silence(): number {
    return this.#now() - this.#heardAt;
  }

  freshness(): KindFreshness {
    return {
      kind: this.#kind,
      state: this.#state,
      ...(this.#provenAt === undefined ? {} : { provenAt: this.#provenAt }),
      ...(this.#since === undefined ? {} : { since: this.#since }),
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
    };
  }

  /** A watch begins: from now on its silence counts. */
  listen(): void {
    this.#heardAt = this.#now();
  }

  /** The watch is open, or no longer. */
  watching(open: boolean): void {
    this.#watching = open;
  }

  /** Something came from the API server for this kind. */
  prove(): void {
    this.#heardAt = this.#now();
    this.#provenAt = this.#heardAt;
  }

  /** The API server answered another request; a watch that was heard less than `within` ago is taken to live, too. */
  vouch(at: number, within: number): void {
    if (this.#watching && at - this.#heardAt < within) this.#provenAt = at;
  }

  publish(state: KindFreshness['state'], reason?: string): void {
    const healthy = state === 'live';
    if (state === this.#state && (healthy || reason === this.#reason)) return;
    if (healthy) this.#since = undefined;
    else if (state !== this.#state) this.#since = this.#now();
    this.#state = state;
    this.#reason = healthy ? undefined : reason;
    this.#changed();
  }
}
