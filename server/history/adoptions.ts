import 'server-only';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { History } from './database';
import type { AdoptionTable, SeenPods } from './tables';

/** A template by the hash of its content, which is at hand unless it was stored before. */
export type StoredTemplate = { hash: string; text(): string | undefined };

/** What an operation did to a sandbox. `before` absent: not known. */
export type Adoption = {
  opUid: string;
  opName: string;
  namespace: string;
  sandboxUid: string;
  sandboxName: string;
  at: number;
  before?: StoredTemplate;
  after?: StoredTemplate;
  pods: SeenPods;
};

const keptMs = 30 * 24 * 3_600_000;
const rowsAtOnce = 200;

const pod = { uid: z.string(), node: z.string().optional() };
const seenPods: z.ZodType<SeenPods> = z.object({
  before: z.object({ ...pod, gone: z.number().optional() }).optional(),
  after: z.object({ ...pod, since: z.number().optional() }).optional(),
});
/** Of what another version has written in another way, nothing. */
export const podsOf = (row: Pick<AdoptionTable, 'pods'>): SeenPods => seenPods.catch({}).parse(JSON.parse(row.pods));

/**
 * Stores what is new of these, some at a time, so that the server answers others in between.
 * @throws {HistoryUnavailable} as all of these
 */
export async function saveAdoptions(history: History, adoptions: readonly Adoption[]): Promise<void> {
  for (let from = 0; from < adoptions.length; from += rowsAtOnce) {
    const some = adoptions.slice(from, from + rowsAtOnce);
    const templates = new Map(
      some.flatMap(({ before, after }) => [before, after].flatMap((each) => (each ? [[each.hash, each]] : []))),
    );
    await history.use((db) =>
      db.transaction().execute(async (transaction) => {
        for (const { hash, text: content } of templates.values()) {
          const text = content();
          if (text === undefined) continue;
          await transaction
            .insertInto('template')
            .values({ hash, text })
            .onConflict((conflict) => conflict.column('hash').doNothing())
            .execute();
        }
        for (const row of some.map(rowOf)) {
          await transaction
            .insertInto('adoption')
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(['op_uid', 'sandbox_uid']).doUpdateSet(({ ref, fn }) => ({
                // What is known is not forgotten for a watcher that came later and does not know it.
                before: fn.coalesce(ref('excluded.before'), ref('adoption.before')),
                after: fn.coalesce(ref('excluded.after'), ref('adoption.after')),
                pods: row.pods,
              })),
            )
            .execute();
        }
      }),
    );
    // The database works in this thread, and its promises alone let nobody else in.
    await setImmediate();
  }
}

const rowOf = (adoption: Adoption): AdoptionTable => ({
  op_uid: adoption.opUid,
  sandbox_uid: adoption.sandboxUid,
  sandbox_name: adoption.sandboxName,
  namespace: adoption.namespace,
  op_name: adoption.opName,
  at: adoption.at,
  before: adoption.before?.hash ?? null,
  after: adoption.after?.hash ?? null,
  pods: JSON.stringify(adoption.pods),
});

/** The last one of each sandbox. */
export function lastAdoptions(history: History): Promise<AdoptionTable[]> {
  return history.use((db) =>
    db
      .selectFrom('adoption')
      .selectAll()
      // Beside one max(), SQLite takes the other columns from the row that has it.
      .select(({ fn }) => fn.max('at').as('latest'))
      .groupBy('sandbox_uid')
      .execute(),
  );
}

export function adoptionsOf(history: History, opUid: string): Promise<AdoptionTable[]> {
  return history.use((db) =>
    db.selectFrom('adoption').selectAll().where('op_uid', '=', opUid).orderBy('sandbox_name').execute(),
  );
}

/** By hash, some hundreds at a time. Whole: not to be logged or sent. */
export async function templatesOf(history: History, hashes: readonly string[]): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await history.use((db) => db.selectFrom('template').selectAll().where('hash', 'in', hashes).execute());
  return new Map(rows.map(({ hash, text }) => [hash, text]));
}

/** Forgets what is older than a month, and the templates that nothing names any more. */
export function pruneAdoptions(history: History, now: number): Promise<void> {
  return history.use((db) =>
    db.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('adoption')
        .where('at', '<', now - keptMs)
        .execute();
      await transaction
        .deleteFrom('template')
        .where('hash', 'not in', (query) =>
          query.selectFrom('adoption').select('before').where('before', 'is not', null).$castTo<{ before: string }>(),
        )
        .where('hash', 'not in', (query) =>
          query.selectFrom('adoption').select('after').where('after', 'is not', null).$castTo<{ after: string }>(),
        )
        .execute();
    }),
  );
}
