import 'server-only';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type UpgradeRecord, upgradeRecord } from '@/lib/contracts/upgrade-history';
import type { History } from './database';
import { parsedJson } from './json';
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
  record?: UpgradeRecord;
};

/** After its operation is gone, or of one that was never seen. */
const keptMs = 30 * 24 * 3_600_000;
/** However long operations live: of more, the oldest are forgotten. A row takes about 1 kB. */
const mostRows = 200_000;
const rowsAtOnce = 200;

const pod = { uid: z.string(), node: z.string().optional() };
const seenPods: z.ZodType<SeenPods> = z.object({
  before: z.object({ ...pod, gone: z.number().optional() }).optional(),
  after: z.object({ ...pod, since: z.number().optional() }).optional(),
});
/** Of what another version has written in another way, nothing. */
export const podsOf = (row: Pick<AdoptionTable, 'pods'>): SeenPods => seenPods.catch({}).parse(parsedJson(row.pods));

export function recordOf({ record }: Pick<AdoptionTable, 'record'>): UpgradeRecord | undefined {
  return record === null ? undefined : upgradeRecord.safeParse(parsedJson(record)).data;
}

/**
 * Stores what is new of these, some at a time, so that the server answers others in between.
 * @throws {HistoryUnavailable} as all of these
 */
export async function saveAdoptions(history: History, adoptions: readonly Adoption[]): Promise<void> {
  for (let from = 0; from < adoptions.length; from += rowsAtOnce) {
    // In one order: two processes that store the same rows in different orders would wait for each other.
    const some = adoptions.slice(from, from + rowsAtOnce).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const templates = new Map(
      some.flatMap(({ before, after }) => [before, after].flatMap((each) => (each ? [[each.hash, each]] : []))),
    );
    await history.use((db) =>
      db.transaction().execute(async (transaction) => {
        for (const hash of [...templates.keys()].sort()) {
          const text = templates.get(hash)?.text();
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
                record: fn.coalesce(ref('excluded.record'), ref('adoption.record')),
              })),
            )
            .execute();
        }
      }),
    );
    // What is prepared for the database is prepared in this thread.
    await setImmediate();
  }
}

const keyOf = ({ opUid, sandboxUid }: Adoption): string => `${opUid} ${sandboxUid}`;

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
  record: adoption.record ? JSON.stringify(adoption.record) : null,
});

/** The last one of each sandbox, unless it has left that operation: those are many, and stay in the database. */
export function lastAdoptions(history: History): Promise<AdoptionTable[]> {
  return history.use((db) =>
    db
      .selectFrom((inner) =>
        inner
          .selectFrom('adoption')
          .selectAll()
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('sandbox_uid').orderBy('at', 'desc'))
              .as('nth'),
          )
          .as('ranked'),
      )
      .selectAll()
      .where('nth', '=', 1)
      .where(({ eb, or }) => or([eb('record', 'is', null), eb('record', 'not like', '%"left":%')]))
      .execute(),
  );
}

export function adoptionsOf(history: History, opUid: string): Promise<AdoptionTable[]> {
  return history.use((db) =>
    db.selectFrom('adoption').selectAll().where('op_uid', '=', opUid).orderBy('sandbox_name').execute(),
  );
}

/** What operations did to these sandboxes, the latest first. */
export async function adoptionsOfSandboxes(history: History, sandboxUids: readonly string[]): Promise<AdoptionTable[]> {
  const found: AdoptionTable[] = [];
  for (let from = 0; from < sandboxUids.length; from += rowsAtOnce) {
    const some = sandboxUids.slice(from, from + rowsAtOnce);
    found.push(
      ...(await history.use((db) =>
        db.selectFrom('adoption').selectAll().where('sandbox_uid', 'in', some).orderBy('at', 'desc').execute(),
      )),
    );
    await setImmediate();
  }
  return found;
}

/** By hash, some hundreds at a time. Whole: not to be logged or sent. */
export async function templatesOf(history: History, hashes: readonly string[]): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await history.use((db) => db.selectFrom('template').selectAll().where('hash', 'in', hashes).execute());
  return new Map(rows.map(({ hash, text }) => [hash, text]));
}

/**
 * Forgets what operations did that are gone for good, a month after it was seen, and the templates that nothing names any
 * more. @param alive uids of all operations there are
 */
export function pruneAdoptions(history: History, now: number, alive: ReadonlySet<string>): Promise<void> {
  return history.use((db) =>
    db.transaction().execute(async (transaction) => {
      const old = await transaction
        .selectFrom('adoption')
        .select('op_uid')
        .distinct()
        .where('at', '<', now - keptMs)
        .execute();
      for (const { op_uid } of old) {
        if (alive.has(op_uid)) continue;
        await transaction
          .deleteFrom('adoption')
          .where('op_uid', '=', op_uid)
          .where('at', '<', now - keptMs)
          .execute();
      }
      const beyond = await transaction
        .selectFrom('adoption')
        .select('at')
        .orderBy('at', 'desc')
        .offset(mostRows)
        .limit(1)
        .executeTakeFirst();
      if (beyond) await transaction.deleteFrom('adoption').where('at', '<=', beyond.at).execute();
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
