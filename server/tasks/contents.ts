import 'server-only';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { OutputChunk } from '@/lib/contracts/tasks';
import type { History } from '../history/database';
import { parsedJson } from '../history/json';
import type { Tables } from '../history/tables';
import type { Counts } from './output';

const countedAtOnce = 200;
/** Values of variables by name. */
const variables = z.record(z.string(), z.string());

export type TaskFile = { name: string; base64: string };
/** What only the process needs that runs it. */
export type TaskInputs = { files: TaskFile[]; env: Record<string, string> };

/** What tasks were given, print and write, in the console's own database. @throws {HistoryUnavailable} as {@link TaskStore} */
export class TaskContents {
  #history: History;

  constructor(history: History) {
    this.#history = history;
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

  /** How much is stored: another process may have died before it said so. */
  async counts(task: string): Promise<Counts> {
    const counts = { chunks: 0, outBytes: 0, errBytes: 0 };
    for (;;) {
      const chunks = await this.output(task, counts.chunks, countedAtOnce);
      for (const { stream, text } of chunks) counts[`${stream}Bytes`] += Buffer.byteLength(text);
      counts.chunks = (chunks.at(-1)?.seq ?? counts.chunks - 1) + 1;
      if (chunks.length < countedAtOnce) return counts;
    }
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

  /** In turn with what is written: a task that starts waits for no long question. */
  inputs(task: string): Promise<TaskInputs> {
    return this.#history.use(async (db) => {
      const files = await db
        .selectFrom('task_file')
        .select(['name', 'base64'])
        .where('task', '=', task)
        .where('side', '=', 'in')
        .execute();
      const row = await db.selectFrom('task').select('env').where('id', '=', task).executeTakeFirst();
      return { files, env: variables.parse(parsedJson(row?.env ?? '{}')) };
    });
  }
}

async function grow(db: Kysely<Tables>, task: string, bytes: number): Promise<void> {
  await db
    .updateTable('task')
    .set(({ eb }) => ({ bytes: eb('bytes', '+', bytes) }))
    .where('id', '=', task)
    .execute();
}
