import type { Problem } from '@/lib/contracts/problem';
import type { RowsReply } from '@/lib/contracts/stream';
import { RequestError } from '@/lib/read-json';
import type { LiveEnvironment } from './environment';
import { readRows } from './read';

export interface ListingHandlers {
  listed(reply: RowsReply): void;
  failed(problem: Problem): void;
}

/** One list at a time: another one takes over, and whoever waits for the first waits for that. */
export class Listing {
  #env: Pick<LiveEnvironment, 'fetch'>;
  #on: ListingHandlers;
  #current: { done: Promise<void>; abort: AbortController } | undefined;

  constructor(
    env: Pick<LiveEnvironment, 'fetch'>,
    readonly url: string,
    on: ListingHandlers,
  ) {
    this.#env = env;
    this.#on = on;
  }

  /** Settles when the list is handed over or has failed. */
  list(): Promise<void> {
    this.#current?.abort.abort();
    const abort = new AbortController();
    const done = this.#listOnce(abort.signal);
    this.#current = { done, abort };
    return done;
  }

  stop(): void {
    this.#current?.abort.abort();
    this.#current = undefined;
  }

  async #listOnce(aborted: AbortSignal): Promise<void> {
    try {
      const reply = await readRows(this.#env, this.url, aborted);
      if (aborted.aborted) return this.#current?.done;
      this.#on.listed(reply);
    } catch (error) {
      if (aborted.aborted) return this.#current?.done;
      if (!(error instanceof RequestError)) throw error;
      this.#on.failed(error.problem);
    }
  }
}
