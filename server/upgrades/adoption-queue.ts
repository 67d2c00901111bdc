import 'server-only';
import { type Adoption, pruneAdoptions, saveAdoptions } from '../history/adoptions';
import { type History, HistoryUnavailable } from '../history/database';
import { log } from '../log';

/**
 * An adoption while it is followed. The label names the operation; its uid is known when that one has been seen, too.
 * `earlier` are the steps that an earlier run of the console saw.
 */
export type OpenAdoption = Omit<Adoption, 'opUid'> & { opUid?: string; earlier?: [string, number][] };

export type AdoptionQueueParts = {
  history: History;
  now: () => number;
  /** Comes before anything is stored. @throws {HistoryUnavailable} */
  ready: () => Promise<void>;
  /** Whether its operation is known by now. */
  bind: (open: OpenAdoption) => open is Adoption;
  /** The uids of all operations; undefined while they are not known. */
  alive: () => ReadonlySet<string> | undefined;
};

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
  #parts: AdoptionQueueParts;
  #waiting = new Set<OpenAdoption>();
  #storing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AdoptionQueueParts) {
    this.#parts = parts;
  }

  add(open: OpenAdoption): void {
    if (this.#waiting.size < most) this.#waiting.add(open);
    this.#schedule(flushMs);
  }

  /** Comes back to what could not be done, when the database has had its rest. */
  tryLater(error: unknown): void {
    // The database says itself why it is away.
    if (!(error instanceof HistoryUnavailable)) log.error({ key: 'journal.fault', err: error });
    this.#schedule(restMs);
  }

  all(): Iterable<OpenAdoption> {
    return this.#waiting;
  }

  /** Stores what can be, after what is being stored already. @throws {HistoryUnavailable} */
  flush(): Promise<void> {
    const stored = this.#storing.then(() => this.#store());
    this.#storing = stored.catch(() => undefined);
    return stored;
  }

  /** Forgets what nobody can ask for any more, once a day. */
  prune(): void {
    const { history, now, alive } = this.#parts;
    const operations = now() - this.#prunedAt < pruneEveryMs ? undefined : alive();
    if (!operations) return;
    this.#prunedAt = now();
    pruneAdoptions(history, now(), operations).catch((error: unknown) => {
      this.#prunedAt = Number.NEGATIVE_INFINITY;
      this.tryLater(error);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #store(): Promise<void> {
    const { history, now, ready, bind } = this.#parts;
    await ready();
    const bound = [...this.#waiting].filter(bind);
    for (const open of bound) this.#waiting.delete(open);
    for (const open of this.#waiting) if (now() - open.at > unseenMs) this.#waiting.delete(open);
    try {
      await saveAdoptions(history, bound);
    } catch (error) {
      for (const open of bound) if (this.#waiting.size < most) this.#waiting.add(open);
      throw error;
    }
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush().then(
        () => {
          this.prune();
          if (this.#waiting.size > 0) this.#schedule(unboundMs);
        },
        (error: unknown) => this.tryLater(error),
      );
    }, ms).unref();
  }
}
