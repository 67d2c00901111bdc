import 'server-only';
import { type ExpressionBuilder, sql } from 'kysely';
import type { TasksQuery } from '@/lib/contracts/tasks';
import type { History } from '../history/database';
import type { Tables } from '../history/tables';
import { TaskContents, type TaskInputs } from './contents';
import { isUnreleased, type TaskRecord } from './record';
import { removeOldTasks, taskBounds } from './retention';
import { columnsOf, endedStates, folded, recordOf } from './rows';
import { RunnerStore } from './runner-store';

type Row = Tables['task'];

const installationRow = 1;

/** Tasks in the console's own database. @throws {HistoryUnavailable} as all of these, while it cannot be used */
export class TaskStore {
  readonly contents: TaskContents;
  readonly runners: RunnerStore;
  #history: History;

  constructor(history: History) {
    this.contents = new TaskContents(history);
    this.runners = new RunnerStore(history);
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
      return row !== undefined && !endedStates.includes(row.state);
    });
  }

  /** Ended ones that are not known to have nothing claimed any more, {@link isUnreleased}. */
  unreleased(): Promise<TaskRecord[]> {
    return this.#history.search(async (db) => {
      const rows = await db
        .selectFrom('task')
        .select(['id', 'record'])
        .where('ended_at', 'is not', null)
        // As it is written; within a text, quotation marks are written otherwise.
        .where('record', 'like', '%"name":"release","state":"failed"%')
        .execute();
      return rows.flatMap(recordOf).filter(isUnreleased);
    });
  }

  /** Newest first. `next` is the `before` of those that follow, also behind ones that cannot be read. */
  async list(person: string, query: TasksQuery): Promise<{ tasks: TaskRecord[]; next?: string }> {
    const { before, state, origin, pool, q, limit } = query;
    const ask = q ? this.#history.search : this.#history.read;
    const rows = await ask((db) => {
      let found = db.selectFrom('task').select(['id', 'record', 'created_at']).where('person', '=', person);
      if (before !== undefined) found = found.where(isBefore(before));
      if (state === 'active') found = found.where('state', 'not in', endedStates);
      else if (state !== undefined) found = found.where('state', '=', state);
      if (origin !== undefined) found = found.where('origin', '=', origin);
      if (pool !== undefined) {
        const [namespace = '', name = ''] = pool.split('/');
        found = found.where('namespace', '=', namespace).where('pool', '=', name);
      }
      if (q) {
        const like = `%${folded(q).replace(/[\\%_]/g, '\\$&')}%`;
        found = found.where('words', 'like', sql<string>`${like} escape '\\'`);
      }
      return found
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
    });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { tasks: shown.flatMap(recordOf), ...(last ? { next: `${last.created_at}.${last.id}` } : {}) };
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

  /** Forgets ended ones of more than `keepMs` ago, and those past the bounds. */
  async prune(now: number, keepMs: number, bounds = taskBounds): Promise<void> {
    await this.#history.use((db) => removeOldTasks(db, now - keepMs, now, bounds));
  }
}

/** Older than a cursor, which is a time and, of those of the same moment, an id. */
const isBefore = (cursor: string) => (eb: ExpressionBuilder<Tables, 'task'>) => {
  const [at = '', id = ''] = cursor.split('.');
  const time = Number(at);
  return eb.or([eb('created_at', '<', time), eb.and([eb('created_at', '=', time), eb('id', '<', id)])]);
};
