import 'server-only';
import { type Kysely, sql } from 'kysely';
import type { OutputChunk, TasksQuery } from '@/lib/contracts/tasks';
import type { History } from '../history/database';
import { parsedJson } from '../history/json';
import type { Tables } from '../history/tables';
import { log } from '../log';
import { type TaskRecord, taskRecord } from './record';

type Db = Kysely<Tables>;
type Row = Tables['task'];

/** What is kept of ended tasks at most; the oldest go first. */
const mostTasks = 2_000;
const mostBytes = 512 * 1024 * 1024;
/** At once: what waits for the database waits for this. */
const mostForgotten = 50;
const installationRow = 1;

export type TaskFile = { name: string; base64: string };
/** What only the process needs that runs it. */
export type TaskInputs = { files: TaskFile[]; env: Record<string, string> };

const ended: readonly TaskRecord['state'][] = ['succeeded', 'failed', 'cancelled', 'error', 'unknown'];

/** None for one that another version has stored in a way that this one cannot read. */
export function recordOf(row: Pick<Row, 'id' | 'record'>): TaskRecord[] {
  const parsed = taskRecord.safeParse(parsedJson(row.record));
  if (parsed.success) return [parsed.data];
  log.warn({ key: 'task.unreadable', task: row.id });
  return [];
}

/** The columns that follow from the record. */
function columnsOf(record: TaskRecord): Pick<Row, 'state' | 'ended_at' | 'claim_ms' | 'origin' | 'record'> {
  const claim = record.steps.find(({ name }) => name === 'claim');
  const done = claim?.state === 'done' && claim.startedAt !== undefined && claim.endedAt !== undefined;
  const origin = record.sandbox?.origin;
  return {
    state: record.state,
    ended_at: record.endedAt ?? null,
    claim_ms: done ? Number(claim.endedAt) - Number(claim.startedAt) : null,
    origin: origin === undefined || origin === 'unknown' ? null : origin,
    record: JSON.stringify(record),
  };
}

/** Tasks in the console's own database. @throws {HistoryUnavailable} as all of these, while it cannot be used */
export class TaskStore {
  #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  /** What the sandboxes of this installation are known by: the same for all processes on one database, and for ever. */
  installation(made: string): Promise<string> {
    return this.#history.use(async (db) => {
      await db
        .insertInto('installation')
        .values({ id: installationRow, name: made })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { name } = await db.selectFrom('installation').select('name').executeTakeFirstOrThrow();
      return name;
    });
  }

  async add(record: TaskRecord, inputs: TaskInputs, runner: string): Promise<void> {
    const { id, person, pool, createdAt } = record;
    const bytes = record.request.files.reduce((sum, file) => sum + file.bytes, record.request.code.length);
    await this.#history.use((db) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('task')
          .values({
            id,
            person,
            runner,
            namespace: pool.ns,
            pool: pool.name,
            created_at: createdAt,
            bytes,
            env: JSON.stringify(inputs.env),
            cancelled: 0,
            ...columnsOf(record),
          })
          .execute();
        if (inputs.files.length === 0) return;
        const files = inputs.files.map((file) => ({ task: id, side: 'in' as const, ...file }));
        await transaction.insertInto('task_file').values(files).execute();
      }),
    );
  }

  /**
   * Values of variables are forgotten with the end: they may be secrets of whoever wrote them.
   * @returns false: nothing is written, because another process has taken it over, or it is stored no more
   */
  async save(record: TaskRecord, runner: string): Promise<boolean> {
    const isOver = record.endedAt !== undefined;
    const { numUpdatedRows } = await this.#history.use((db) =>
      db
        .updateTable('task')
        .set({ ...columnsOf(record), ...(isOver ? { env: null, runner: null } : {}) })
        .where('id', '=', record.id)
        .where((eb) => {
          const isNobodys = eb('runner', 'is', null);
          // One that has ended meanwhile does not begin again.
          return eb.or([eb('runner', '=', runner), isOver ? isNobodys : isNobodys.and('ended_at', 'is', null)]);
        })
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows > 0n;
  }

  async addOutput(task: string, chunks: readonly OutputChunk[]): Promise<void> {
    const bytes = chunks.reduce((sum, { text }) => sum + text.length, 0);
    const rows = chunks.map(({ seq, at, stream, text }) => ({
      task,
      seq,
      at: Math.round(at),
      stream,
      text: JSON.stringify(text),
    }));
    await this.#history.use((db) =>
      db.transaction().execute(async (transaction) => {
        for (let from = 0; from < rows.length; from += 100) {
          await transaction
            .insertInto('task_output')
            .values(rows.slice(from, from + 100))
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        await grow(transaction, task, bytes);
      }),
    );
  }

  /** From `seq` on, at most `limit` chunks: what is long is read in parts. */
  output(task: string, seq: number, limit: number): Promise<OutputChunk[]> {
    return this.#history.read(async (db) => {
      const rows = await db
        .selectFrom('task_output')
        .select(['seq', 'at', 'stream', 'text'])
        .where('task', '=', task)
        .where('seq', '>=', seq)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, text: String(parsedJson(row.text) ?? '') }));
    });
  }

  /** The end of what is stored, in order: at most about so many characters, and at least one chunk. */
  async tail(task: string, most: number): Promise<OutputChunk[]> {
    const rows = await this.#history.read((db) =>
      db
        .selectFrom('task_output')
        .select(['seq', 'at', 'stream', 'text'])
        .where('task', '=', task)
        .orderBy('seq', 'desc')
        .limit(1_000)
        .execute(),
    );
    const chunks: OutputChunk[] = [];
    let length = 0;
    for (const row of rows) {
      const chunk = { ...row, text: String(parsedJson(row.text) ?? '') };
      length += chunk.text.length;
      if (length > most && chunks.length > 0) break;
      chunks.unshift(chunk);
    }
    return chunks;
  }

  async addResult(task: string, file: TaskFile): Promise<void> {
    await this.#history.use((db) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('task_file')
          .values({ task, side: 'out', ...file })
          .onConflict((conflict) => conflict.columns(['task', 'side', 'name']).doUpdateSet({ base64: file.base64 }))
          .execute();
        await grow(transaction, task, file.base64.length);
      }),
    );
  }

  file(task: string, side: 'in' | 'out', name: string): Promise<Buffer | undefined> {
    return this.#history.read(async (db) => {
      const row = await db
        .selectFrom('task_file')
        .select('base64')
        .where('task', '=', task)
        .where('side', '=', side)
        .where('name', '=', name)
        .executeTakeFirst();
      return row && Buffer.from(row.base64, 'base64');
    });
  }

  inputs(task: string): Promise<TaskInputs> {
    return this.#history.read(async (db) => {
      const files = await db
        .selectFrom('task_file')
        .select(['name', 'base64'])
        .where('task', '=', task)
        .where('side', '=', 'in')
        .execute();
      const row = await db.selectFrom('task').select('env').where('id', '=', task).executeTakeFirst();
      const env = parsedJson(row?.env ?? '{}') as Record<string, string>;
      return { files, env };
    });
  }

  find(id: string): Promise<TaskRecord | undefined> {
    return this.#history.read(async (db) => {
      const row = await db.selectFrom('task').select(['id', 'record']).where('id', '=', id).executeTakeFirst();
      return row && recordOf(row)[0];
    });
  }

  /** Whether it has not ended, also of one that only another version can read. */
  isActive(id: string): Promise<boolean> {
    return this.#history.read(async (db) => {
      const row = await db.selectFrom('task').select('state').where('id', '=', id).executeTakeFirst();
      return row !== undefined && !ended.includes(row.state);
    });
  }

  /** Tells the process that runs it, which asks every now and then. */
  async askToCancel(id: string): Promise<void> {
    await this.#history.use((db) => db.updateTable('task').set({ cancelled: 1 }).where('id', '=', id).execute());
  }

  async toCancel(runner: string): Promise<string[]> {
    const rows = await this.#history.read((db) =>
      db.selectFrom('task').select('id').where('runner', '=', runner).where('cancelled', '=', 1).execute(),
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Tasks that have not ended and are run by no process that is known of, taken over by `runner`; with those that are its own,
   * in case that it could not take them up before.
   */
  takeOver(runner: string): Promise<TaskRecord[]> {
    return this.#history.use((db) =>
      db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('task')
          .select(['id', 'record', 'runner'])
          .where('state', 'not in', ended)
          .where((eb) =>
            eb.or([
              eb('runner', 'is', null),
              eb('runner', '=', runner),
              eb('runner', 'not in', eb.selectFrom('task_runner').select('id')),
            ]),
          )
          .orderBy('created_at')
          .execute();
        const taken: TaskRecord[] = [];
        for (const row of rows) {
          const records = recordOf(row);
          // Another version's is left to it.
          if (records.length === 0) continue;
          const { numUpdatedRows } = await transaction
            .updateTable('task')
            .set({ runner })
            .where('id', '=', row.id)
            .where((eb) => (row.runner === null ? eb('runner', 'is', null) : eb('runner', '=', row.runner)))
            .executeTakeFirst();
          if (numUpdatedRows > 0n) taken.push(...records);
        }
        return taken;
      }),
    );
  }

  /** Says that this process is alive; answers how far each one has come. */
  beat(runner: string): Promise<{ id: string; beat: number }[]> {
    return this.#history.use(async (db) => {
      await db
        .insertInto('task_runner')
        .values({ id: runner, beat: 0 })
        .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ beat: eb('task_runner.beat', '+', 1) })))
        .execute();
      return db.selectFrom('task_runner').selectAll().execute();
    });
  }

  /** Another process may take over at once what this one, or a dead one, ran. */
  async forgetRunner(runner: string): Promise<void> {
    await this.#history.use(async (db) => {
      await db.updateTable('task').set({ runner: null }).where('runner', '=', runner).execute();
      await db.deleteFrom('task_runner').where('id', '=', runner).execute();
    });
  }

  /** Newest first. What is looked for in words is sought in the record. */
  async list(person: string, query: TasksQuery): Promise<TaskRecord[]> {
    const rows = await this.#history.read((db) => {
      let found = db.selectFrom('task').select(['id', 'record']).where('person', '=', person);
      if (query.before !== undefined) found = found.where('created_at', '<', query.before);
      if (query.state === 'active') found = found.where('state', 'not in', ended);
      else if (query.state !== undefined) found = found.where('state', '=', query.state);
      if (query.origin !== undefined) found = found.where('origin', '=', query.origin);
      if (query.pool !== undefined) {
        const [namespace = '', pool = ''] = query.pool.split('/');
        found = found.where('namespace', '=', namespace).where('pool', '=', pool);
      }
      if (query.q) {
        const like = `%${query.q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
        found = found.where(({ eb, fn }) =>
          eb(fn<string>('lower', ['record']), 'like', sql<string>`${like} escape '\\'`),
        );
      }
      return found
        .orderBy('created_at', 'desc')
        .limit(query.limit + 1)
        .execute();
    });
    return rows.flatMap(recordOf);
  }

  /** Times of claims that came to a sandbox, newest first: of all people. */
  claims(limit: number): Promise<Pick<Row, 'namespace' | 'pool' | 'origin' | 'claim_ms'>[]> {
    return this.#history.read((db) =>
      db
        .selectFrom('task')
        .select(['namespace', 'pool', 'origin', 'claim_ms'])
        .where('claim_ms', 'is not', null)
        .where('origin', 'is not', null)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute(),
    );
  }

  /** Ended ones older than `before`, and the oldest past the bounds, are forgotten. */
  async prune(before: number): Promise<void> {
    await this.#history.use(async (db) => {
      const rows = await db
        .selectFrom('task')
        .select(['id', 'ended_at', 'bytes'])
        .where('ended_at', 'is not', null)
        .orderBy('ended_at', 'desc')
        .execute();
      let bytes = 0;
      const gone = rows.filter((row, index) => {
        bytes += Number(row.bytes);
        return Number(row.ended_at) < before || index >= mostTasks || bytes > mostBytes;
      });
      for (const { id } of gone.slice(-mostForgotten)) await forget(db, id);
    });
  }
}

async function grow(db: Db, task: string, bytes: number): Promise<void> {
  await db
    .updateTable('task')
    .set(({ eb }) => ({ bytes: eb('bytes', '+', bytes) }))
    .where('id', '=', task)
    .execute();
}

async function forget(db: Db, task: string): Promise<void> {
  await db.deleteFrom('task_output').where('task', '=', task).execute();
  await db.deleteFrom('task_file').where('task', '=', task).execute();
  await db.deleteFrom('task').where('id', '=', task).execute();
}
