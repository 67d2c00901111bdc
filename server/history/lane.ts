import 'server-only';
import type { Kysely } from 'kysely';
import { log } from '../log';
import type { Tables } from './tables';

/** After a failure, what is asked meanwhile fails at once: the database is tried again after this. */
const restMs = 2_000;

/**
 * The database cannot be used now; the message says why, in its own or the system's words. `instanceof` goes by the name:
 * a build holds this module once a bundle, and the database is one for the whole process.
 */
export class HistoryUnavailable extends Error {
  static override [Symbol.hasInstance](value: unknown): value is HistoryUnavailable {
    return value instanceof Error && value.name === 'HistoryUnavailable';
  }

  override readonly name = 'HistoryUnavailable';
}

/** SQLite: a wrong statement or value. PostgreSQL: classes of cardinality, data, integrity, and of wrong statements. */
const faultCodes = /^SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|MISUSE|TOOBIG)|^(21|22|23|26|34|42)[0-9A-Z]{3}$/;
/** No right, no table: it is the database that is not what the console needs. */
const unfit = ['42501', '42P01'];

/** Whether the database is there and what was asked of it is wrong. All else, as a lost connection, a lock or a full disk, may pass. */
function isFault(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if ('code' in error && typeof error.code === 'string') {
    return faultCodes.test(error.code) && !unfit.includes(error.code) && !error.message.startsWith('no such table');
  }
  return ['TypeError', 'RangeError', 'ReferenceError', 'ZodError', 'NoResultError'].includes(error.constructor.name);
}

interface LaneOptions {
  /** Whether it is worth to try. @throws why not */
  ready(): Promise<void>;
  open(): Promise<Kysely<Tables>>;
  /** How the database is called in the log. */
  shown: string | undefined;
  /** How long one piece of work may take before the database counts as away. */
  patienceMs: number;
  now(): number;
}

/** One way into the database, opened when it is first used: one piece of work at a time. */
export class Lane {
  #options: LaneOptions;
  #opened: Kysely<Tables> | undefined;
  #failed: { at: number; why: string } | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Why the last piece of work failed; undefined when it did not. */
  get failure(): string | undefined {
    return this.#failed?.why;
  }

  /** @throws {HistoryUnavailable} when the database cannot be used; a fault of the work itself is thrown as it is */
  use<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => this.#run(work));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#opened?.destroy();
    this.#opened = undefined;
  }

  async #run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    const { ready, now } = this.#options;
    if (this.#failed && now() - this.#failed.at < restMs) throw new HistoryUnavailable(this.#failed.why);
    // What is open stays so: to close it would wait for what does not answer, and everything else for that.
    await ready().catch((error) => this.#unavailable(error));
    let begun = false;
    try {
      const result = await this.#inTime(async (isLate) => {
        const db = await this.#open(isLate);
        begun = true;
        return work(db);
      });
      if (this.#failed) log.info({ key: 'history.back' });
      this.#failed = undefined;
      return result;
    } catch (error) {
      const failed = this.#opened;
      this.#opened = undefined;
      // A statement that met a lock stays open in its connection, and would keep every later transaction from ending.
      await failed?.destroy().catch(() => undefined);
      if (begun && isFault(error)) throw error;
      return this.#unavailable(error);
    }
  }

  /** One that comes when it was given up is closed again: nothing is done late, and nothing stays open beside the next one. */
  async #open(isLate: () => boolean): Promise<Kysely<Tables>> {
    if (this.#opened) return this.#opened;
    const opened = await this.#options.open();
    if (isLate()) {
      await opened.destroy();
      throw new Error('the database was opened too late');
    }
    this.#opened = opened;
    return opened;
  }

  async #inTime<T>(work: (isLate: () => boolean) => Promise<T>): Promise<T> {
    const { patienceMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(new Error(`the database has not answered for ${patienceMs} ms`));
      }, patienceMs);
    });
    try {
      return await Promise.race([work(() => isLate), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #unavailable(error: unknown): never {
    const why = error instanceof Error ? error.message || error.name : String(error);
    const { shown, now } = this.#options;
    if (this.#failed?.why !== why) log.warn({ key: 'history.unavailable', database: shown, why });
    this.#failed = { at: now(), why };
    throw new HistoryUnavailable(why);
  }
}
