import 'server-only';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from './tables';

/** How long a write waits for another process that holds the file. */
const busyMs = 1_000;
const longestCloseMs = 1_000;

/**
 * libsql works in the thread that calls it: a slow query, or a disk that hangs, would hold up the whole server. As text,
 * because a bundler makes no second entry of a server's module.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require('node:module').createRequire(workerData.from)('libsql');
let database;
parentPort.on('message', ({ id, sql, parameters }) => {
  if (sql === undefined) {
    database?.close();
    return process.exit();
  }
  try {
    database ??= new Database(workerData.file, { timeout: workerData.busyMs });
    const statement = database.prepare(sql);
    if (statement.reader) return parentPort.postMessage({ id, result: { rows: statement.all(parameters) } });
    const { changes } = statement.run(parameters);
    parentPort.postMessage({ id, result: { rows: [], numAffectedRows: BigInt(changes) } });
  } catch (error) {
    parentPort.postMessage({ id, error: error.message, code: error.code });
  }
});
`;

type Answer = { id: number; result?: QueryResult<unknown>; error?: string; code?: string };
type Asked = { resolve(result: QueryResult<unknown>): void; reject(error: Error): void };

/** One connection to a file, in a thread of its own. Statements are carried out in the order in which they come. */
class ThreadConnection implements DatabaseConnection {
  #worker: Worker;
  #asked = new Map<number, Asked>();
  #count = 0;
  #ended: Error | undefined;

  constructor(file: string) {
    // libsql is found from the folder that the server runs in, where its package.json is.
    const workerData = { file, busyMs, from: path.join(process.cwd(), 'package.json') };
    this.#worker = new Worker(program, { eval: true, workerData, execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', ({ id, result, error, code }: Answer) => {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (this.#asked.size === 0) this.#worker.unref();
      if (result) asked?.resolve(result);
      else asked?.reject(Object.assign(new Error(error), { code }));
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the thread of the database has ended')));
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#ended) throw this.#ended;
    const id = this.#count++;
    const result = await new Promise<QueryResult<unknown>>((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      // Somebody waits: until then, the process is kept alive.
      this.#worker.ref();
      this.#worker.postMessage({ id, sql, parameters });
    });
    // What a row holds is what the query was written for; the types are kysely's.
    return result as QueryResult<R>;
  }

  // biome-ignore lint/correctness/useYield: part of the interface; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed');
  }

  /** Waits for a statement that is being carried out, but not for long: the disk may hang. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.ref();
    this.#worker.postMessage({});
    if (!this.#ended) await Promise.race([ended, sleep(longestCloseMs)]);
    void this.#worker.terminate();
    this.#end(new Error('the database was closed'));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}

/** Whoever uses it takes care that transactions do not overlap. */
class ThreadDriver implements Driver {
  #connection: ThreadConnection;

  constructor(file: string) {
    this.#connection = new ThreadConnection(file);
  }

  init = async () => undefined;
  acquireConnection = async () => this.#connection;
  releaseConnection = async () => undefined;
  /** Waits for another process here: one that has read already and then wants to write is refused at once. */
  beginTransaction = (connection: DatabaseConnection) => said(connection, 'begin immediate');
  commitTransaction = (connection: DatabaseConnection) => said(connection, 'commit');
  rollbackTransaction = (connection: DatabaseConnection) => said(connection, 'rollback');
  destroy = async () => this.#connection.close();
}

async function said(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}

const dialectOf = (file: string): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new ThreadDriver(file),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** A connection to a file. @param pragmas run first */
export async function openSqlite(file: string, pragmas: readonly string[]): Promise<Kysely<Tables>> {
  // Named here for the build to bring it along, and to fail at once on a system that its native part is not made for.
  await import('libsql');
  const db = new Kysely<Tables>({ dialect: dialectOf(file) });
  try {
    for (const pragma of pragmas) await db.executeQuery(CompiledQuery.raw(`PRAGMA ${pragma}`));
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
