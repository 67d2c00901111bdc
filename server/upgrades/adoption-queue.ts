import 'server-only';
import { type Adoption, pruneAdoptions, saveAdoptions } from '../history/adoptions';
import { type History, HistoryUnavailable } from '../history/database';
import { log } from '../log';

/** An adoption while it is followed. The label names the operation; its uid is known when that one has been seen, too. */
export type OpenAdoption = Omit<Adoption, 'opUid'> & { opUid?: string };

const flushMs = 500;
/** Until those are tried again whose operation has not been seen. */
const unboundMs = 1_000;
const restMs = 5_000;
/** An operation that is not seen by then is not seen at all: it may not be listed, or was deleted at once. */
const unseenMs = 10 * 60_000;
/** So many wait for the database at the most; of more, nothing is known later. */
const most = 50_000;
const pruneEveryMs = 24 * 3_600_000;

/** Adoptions on their way to the database. */
export class AdoptionQueue {
  #history: History;
  #now: () => number;
  /** Whether its operation is known by now. */
  #bind: (open: OpenAdoption) => open is Adoption;
  #waiting = new Set<OpenAdoption>();
  #timer: NodeJS.Timeout | undefined;
  #pruning: NodeJS.Timeout;

  constructor(history: History, now: () => number, bind: (open: OpenAdoption) => open is Adoption) {
    this.#history = history;
    this.#now = now;
    this.#bind = bind;
    this.#pruning = setInterval(() => this.#prune(), pruneEveryMs).unref();
  }

  add(open: OpenAdoption): void {
    if (this.#waiting.size < most) this.#waiting.add(open);
    this.#schedule(flushMs);
  }

  all(): Iterable<OpenAdoption> {
    return this.#waiting;
  }

  /** Stores what can be. @throws {HistoryUnavailable} */
  async flush(): Promise<void> {
    const ready = [...this.#waiting].filter(this.#bind);
    for (const open of ready) this.#waiting.delete(open);
    for (const open of this.#waiting) if (this.#now() - open.at > unseenMs) this.#waiting.delete(open);
    try {
      await saveAdoptions(this.#history, ready);
    } catch (error) {
      for (const open of ready) if (this.#waiting.size < most) this.#waiting.add(open);
      throw error;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#pruning);
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush().then(
        () => this.#waiting.size > 0 && this.#schedule(unboundMs),
        (error: unknown) => {
          this.#told(error);
          this.#schedule(restMs);
        },
      );
    }, ms).unref();
  }

  #prune(): void {
    pruneAdoptions(this.#history, this.#now()).catch((error: unknown) => this.#told(error));
  }

  /** The database says itself why it is away. */
  #told(error: unknown): void {
    if (!(error instanceof HistoryUnavailable)) log.error({ key: 'journal.fault', err: error });
  }
}
