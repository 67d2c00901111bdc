import 'server-only';
import path from 'node:path';
import { type Kysely, Migrator } from 'kysely';
import { readEnvironment } from '../env';
import { once } from '../once';
import { DataFolder } from './folder';
import { HistoryUnavailable, Lane } from './lane';
import { migrations } from './migrations';
import { isPostgres, openPostgres, shownUrl } from './postgres';
import { openSqlite } from './sqlite';
import type { Tables } from './tables';

export { HistoryUnavailable };

/** How long the folder may take to answer before it counts as away. */
const longestAnswerMs = 3_000;
/** An answer holds so long: between two of them, nothing is asked. */
const answerHoldsMs = 1_000;
/** How long a statement may take; a piece of work has some of them, and half as long again. */
const [longestWriteMs, longestReadMs] = [10_000, 20_000];

/**
 * A file in WAL mode can be read while it is written; it survives the end of the process as it is. What is deleted is
 * overwritten, and its journal does not keep it: values of variables are forgotten.
 */
const writing = ['journal_mode = WAL', 'synchronous = NORMAL', 'secure_delete = ON', 'journal_size_limit = 0'];
/** 32 MiB hold the index of a million stays. */
const reading = ['query_only = 1', 'cache_size = -32768'];

export type History = {
  /** Runs one piece of work at a time. @throws {HistoryUnavailable} when the database cannot be used; a wrong statement is thrown as it is */
  use<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** The same for questions only, beside what is written: a long one holds no write up. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** The same for what looks through many rows: no page that lives on `read` waits for it. */
  search<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Whether it could be used when it last was. */
  state(): { state: 'ok' | 'off' } | { state: 'unavailable'; why: string };
  close(): Promise<void>;
};

type Opened = { ready(): Promise<void>; write(): Promise<Kysely<Tables>>; read(): Promise<Kysely<Tables>> };

/**
 * The console's own database, opened and migrated when it is first used. It holds no state of the cluster as truth.
 * Nothing live leans on it: when it cannot be opened, is locked or full, or does not answer, those who use it are told.
 * @param where the folder of its file, or the URL of a PostgreSQL database; undefined: nothing is stored
 */
export function makeHistory(
  where: string | undefined,
  now: () => number = Date.now,
  { answerMs = longestAnswerMs, writeMs = longestWriteMs, readMs = longestReadMs } = {},
): History {
  const opened =
    where === undefined ? off : isPostgres(where) ? postgres(where, writeMs, readMs) : file(where, now, answerMs);
  const shown = where !== undefined && isPostgres(where) ? shownUrl(where) : where;
  let migrated = false;
  const writer = new Lane({
    ready: opened.ready,
    open: async () => {
      const db = await opened.write();
      await migrate(db);
      migrated = true;
      return db;
    },
    shown,
    patienceMs: writeMs * 1.5,
    now,
  });
  const questions = () =>
    new Lane({
      ready: async () => {
        if (!migrated) await writer.use(async () => undefined);
        await opened.ready();
      },
      open: opened.read,
      shown,
      patienceMs: readMs * 1.5,
      now,
    });
  const [reader, searcher] = [questions(), questions()];
  return {
    use: (work) => writer.use(work),
    read: (work) => reader.use(work),
    search: (work) => searcher.use(work),
    state() {
      if (where === undefined) return { state: 'off' };
      return writer.failure === undefined ? { state: 'ok' } : { state: 'unavailable', why: writer.failure };
    },
    async close() {
      await Promise.all([writer.close(), reader.close(), searcher.close()]);
    },
  };
}

const off: Opened = {
  ready: async () => {
    throw new HistoryUnavailable('CONSOLE_DATA_DIR is not set');
  },
  write: () => Promise.reject(new Error()),
  read: () => Promise.reject(new Error()),
};

function postgres(url: string, writeMs: number, readMs: number): Opened {
  return {
    ready: async () => undefined,
    write: () => openPostgres(url, writeMs, 1),
    read: () => openPostgres(url, readMs, 1),
  };
}

function file(dir: string, now: () => number, answerMs: number): Opened {
  const name = path.join(dir, 'console.db');
  const folder = new DataFolder(dir, name, answerMs);
  let answeredAt = Number.NEGATIVE_INFINITY;
  return {
    async ready() {
      if (now() - answeredAt <= answerHoldsMs) return;
      await folder.answers();
      answeredAt = now();
    },
    write: () => openSqlite(name, writing),
    read: () => openSqlite(name, reading),
  };
}

async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  await db.destroy();
  throw error;
}

/** The one of this process. */
export const history = (): History =>
  once('history.database', () => {
    const { CONSOLE_DATABASE_URL, CONSOLE_DATA_DIR } = readEnvironment();
    return makeHistory(CONSOLE_DATABASE_URL ?? CONSOLE_DATA_DIR);
  });
