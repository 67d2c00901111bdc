import 'server-only';
import type { History } from '../history/database';
import type { TaskRecord } from './record';
import { endedStates, recordOf } from './rows';

/** The processes that run tasks on one database, and which of them runs which. @throws {HistoryUnavailable} as {@link TaskStore} */
export class RunnerStore {
  #history: History;

  constructor(history: History) {
    this.#history = history;
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
          .where('state', 'not in', endedStates)
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
  async forget(runner: string): Promise<void> {
    await this.#history.use(async (db) => {
      await db.updateTable('task').set({ runner: null }).where('runner', '=', runner).execute();
      await db.deleteFrom('task_runner').where('id', '=', runner).execute();
    });
  }
}
