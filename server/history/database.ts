import 'server-only';
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { readEnvironment } from '../env';
import { log } from '../log';
import { once } from '../once';
import { migrations } from './migrations';
import type { Tables } from './tables';

/** How long a write waits for another process that holds the file. The server stands still meanwhile. */
const busyMs = 300;
/** After a failure, what is asked meanwhile fails at once: the file is tried again after this. */
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

export type History = {
  /** Runs one piece of work at a time. @throws {HistoryUnavailable} whatever goes wrong with the database */
  use<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * The console's own database, a file in `dir`, opened and migrated when it is first used. It holds no state of the
 * cluster as truth. Nothing live leans on it: when it cannot be opened, is locked or full, those who use it are told.
 * @param dir undefined: nothing is stored
 */
export function makeHistory(dir: string | undefined, now: () => number = Date.now): History {
  let opened: Kysely<Tables> | undefined;
  let failed: { at: number; why: string } | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    if (dir === undefined) throw new HistoryUnavailable('CONSOLE_DATA_DIR is not set');
    if (failed && now() - failed.at < restMs) throw new HistoryUnavailable(failed.why);
    try {
      opened ??= await open(dir);
      const result = await work(opened);
      if (failed) log.info({ key: 'history.back' });
      failed = undefined;
      return result;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (failed?.why !== why) log.warn({ key: 'history.unavailable', dir, why });
      failed = { at: now(), why };
      // A statement that met a lock stays open in its connection, and would keep every later transaction from ending.
      await opened?.destroy().catch(() => undefined);
      opened = undefined;
      throw new HistoryUnavailable(why);
    }
  }

  return {
    use(work) {
      const done = queue.then(() => run(work));
      queue = done.catch(() => undefined);
      return done;
    },
    async close() {
      await queue;
      await opened?.destroy();
      opened = undefined;
    },
  };
}

async function open(dir: string): Promise<Kysely<Tables>> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, 'console.db');
  // Templates are stored whole, secrets included: for nobody else to read. Its companions get the same mode.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  // Loaded only here: on a system that its native part is not made for, only the database is missing.
  const { default: Database } = await import('libsql');
  const database = new Database(file, { timeout: busyMs });
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = NORMAL');
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
    }).migrateToLatest();
    if (error) throw error;
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** The one of this process. */
export const history = (): History => once('history.database', () => makeHistory(readEnvironment().CONSOLE_DATA_DIR));
