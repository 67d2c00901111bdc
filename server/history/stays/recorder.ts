import 'server-only';
import type { Kysely } from 'kysely';
import type { HistoryStore } from '@/lib/contracts/history';
import { log } from '../../log';
import { type History, HistoryUnavailable } from '../database';
import type { Tables } from '../tables';
import { Lease } from './lease';
import { type Batch, type Gap, Notebook, type RecorderSource } from './notebook';
import { removeLeftovers, removeOldStays } from './retention';
import type { Stay } from './stay';
import { markStored, openStays, type PlaceIds, saveGap, saveStays, stayOf } from './store';

export interface RecorderLimits {
  keepDays: number;
  keepRows: number;
  /** So many ended stays wait for the database at the most; of more, nothing is known later. */
  mostWaiting: number;
}

const flushMs = 1_000;
const beatMs = 5_000;
const pruneMs = 60_000;
const leftoversMs = 3_600_000;
/** So many stays are written in one transaction. */
const writtenAtOnce = 4_000;

type Db = Kysely<Tables>;

/**
 * Keeps where each sandbox stays and has stayed, from the watch, and brings it to the database in batches. Of several
 * processes on one database one records; the others watch too, and go on where it ends. Nothing here waits for the database:
 * while it is away stays wait in memory, up to a bound.
 */
export class Recorder {
  #history: History;
  #limits: RecorderLimits;
  #now: () => number;
  #notes: Notebook;
  #lease: Lease;
  #leads = false;
  #writtenAt = 0;
  #storedUntil: number | undefined;
  #oldest: number | undefined;
  #since: number | undefined;
  #places: PlaceIds = new Map();
  #flushing: Promise<void> | undefined;
  #timers: NodeJS.Timeout[];

  /** Listens from now on; should be made before the first list is in. @param elapsed see {@link Lease} */
  constructor(
    source: RecorderSource,
    history: History,
    limits: RecorderLimits,
    now: () => number = Date.now,
    elapsed?: () => number,
  ) {
    this.#history = history;
    this.#limits = limits;
    this.#now = now;
    // Without a database, the latest are worth most.
    this.#notes = new Notebook(source, { most: limits.mostWaiting, keepsLatest: () => this.#isOff, now });
    this.#lease = new Lease(elapsed);
    this.#timers = [
      setInterval(() => this.#tick(), flushMs).unref(),
      setInterval(() => void this.prune(), pruneMs).unref(),
      setInterval(() => void this.#clear(), leftoversMs).unref(),
    ];
  }

  /** What is not in the database, or not as it is now, of one sandbox, oldest first. */
  waiting(uid: string): Stay[] {
    return this.#notes.of(uid);
  }

  /** Whether the database holds what this process saw, and not what another one did. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Nothing is known of what was before, as far as this process knows; undefined until the first list. */
  get since(): number | undefined {
    return this.#since ?? this.#notes.watchedFrom;
  }

  /** Stretches without history that are not in the database. */
  get gaps(): readonly Gap[] {
    return this.#notes.gaps;
  }

  store(): HistoryStore {
    const state = this.#history.state();
    const away = state.state === 'unavailable' ? (this.#storedUntil ?? this.#notes.watchedFrom) : undefined;
    const lostSince = this.#notes.lostSince ?? away;
    return {
      ...state,
      ...(lostSince === undefined ? {} : { lostSince }),
      ...(this.#oldest === undefined ? {} : { oldest: this.#oldest }),
      ...(state.state === 'off' ? {} : { keepDays: this.#limits.keepDays, keepRows: this.#limits.keepRows }),
    };
  }

  /** Stores all that waits. @throws {HistoryUnavailable} */
  async flush(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    this.#flushing = this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  /** Removes what is too old or too much, a little at a time. */
  async prune(): Promise<void> {
    if (!this.#leads) return;
    await this.#quietly(async () => {
      this.#oldest = await removeOldStays(this.#history, this.#limits, this.#now());
    });
  }

  /** Stops watching, stores what waits, and lets another one go on. */
  async stop(): Promise<void> {
    this.abandon();
    await this.#quietly(async () => {
      await this.flush();
      await this.#history.use((db) => this.#lease.give(db));
    });
  }

  /** Stops without a word, as the end of the process would. */
  abandon(): void {
    this.#notes.close();
    for (const timer of this.#timers) clearInterval(timer);
  }

  get #isOff(): boolean {
    return this.#history.state().state === 'off';
  }

  #tick(): void {
    const isDue = !this.#notes.isEmpty || this.#now() - this.#writtenAt >= beatMs;
    if (isDue && !this.#flushing && !this.#isOff) void this.#quietly(() => this.flush());
  }

  /** The database says itself why it is away. */
  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HistoryUnavailable)) log.error({ key: 'history.fault', err: error });
    }
  }

  async #writeAll(): Promise<void> {
    // Before the first list, nobody knows which of the stored stays have ended.
    if (this.#notes.watchedFrom === undefined) return;
    let more = true;
    while (more) more = await this.#write();
  }

  /** @returns whether there is more to write */
  async #write(): Promise<boolean> {
    const batch = await this.#inTransaction((db) => this.#store(db));
    this.#writtenAt = this.#now();
    this.#leads = batch !== undefined;
    if (!batch) return false;
    this.#notes.stored(batch);
    if (batch.isAll) this.#storedUntil = batch.until;
    return !batch.isAll;
  }

  async #inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await this.#history.use((db) => db.transaction().execute(work));
    } catch (error) {
      // Places that were numbered in it are not there, and their numbers may go to others.
      this.#places.clear();
      throw error;
    }
  }

  async #store(db: Db): Promise<Batch | undefined> {
    if (!(await this.#lease.isHeld(db)) && !(await this.#takeOver(db))) return undefined;
    const { lostSince } = this.#notes;
    if (lostSince !== undefined) await this.#goOn(db, lostSince, this.#now());
    const batch = this.#notes.batch(writtenAtOnce);
    for (const { from, to } of batch.gaps) await saveGap(db, from, to);
    await saveStays(db, this.#places, batch.stays);
    if (batch.isAll) await markStored(db, batch.until);
    return batch;
  }

  /** @returns whether this process records from now on */
  async #takeOver(db: Db): Promise<boolean> {
    const watchedFrom = this.#notes.watchedFrom ?? this.#now();
    const { isTaken, earlier } = await this.#lease.take(db, watchedFrom);
    this.#since = earlier?.since ?? watchedFrom;
    if (!isTaken) {
      if (earlier) this.#notes.storedElsewhere(earlier.stored);
      return false;
    }
    // Whoever recorded meanwhile may have removed some.
    this.#places.clear();
    if (earlier) await this.#goOn(db, earlier.stored, watchedFrom);
    log.info({ key: 'history.records', since: this.#since });
    return true;
  }

  /** The open stays of the database are true until `stored`; what this process has seen counts from `from` on. */
  async #goOn(db: Db, stored: number, from: number): Promise<void> {
    const open = (await openStays(db)).map(stayOf);
    await saveStays(db, this.#places, this.#notes.goOnFrom(open, stored, from));
    if (stored < from) await saveGap(db, stored, from);
  }

  async #clear(): Promise<void> {
    if (!this.#leads) return;
    await this.#quietly(() =>
      this.#inTransaction(async (db) => {
        // Another one that records by now knows places that no stay names yet.
        if (await this.#lease.isHeld(db)) await removeLeftovers(db, this.#places);
      }),
    );
  }
}
