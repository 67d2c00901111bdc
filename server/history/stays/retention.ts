import 'server-only';
import { type Kysely, sql } from 'kysely';
import type { History } from '../database';
import type { Tables } from '../tables';
import type { PlaceIds } from './store';

type Db = Kysely<Tables>;

const dayMs = 24 * 3_600_000;
/** So many are removed in one transaction: others write in between. */
const removedAtOnce = 1_000;

/**
 * Removes ended stays that are too old, and the oldest of too many.
 * @returns the end of the oldest one that is kept @throws {HistoryUnavailable}
 */
export async function removeOldStays(
  history: History,
  { keepDays, keepRows }: { keepDays: number; keepRows: number },
  now: number,
): Promise<number | undefined> {
  const remove = (most: number, before?: number) => history.use((db) => removeStays(db, most, before));
  const old = now - keepDays * dayMs;
  let removed = await remove(removedAtOnce, old);
  for (let more = removed; more === removedAtOnce; removed += more) more = await remove(removedAtOnce, old);
  let excess = (await history.read(countStays)) - keepRows;
  for (; excess > 0; excess -= removedAtOnce) removed += await remove(Math.min(removedAtOnce, excess));
  const oldest = await history.read(oldestEnd);
  if (removed > 0 && oldest !== undefined) {
    await history.use((db) => db.updateTable('recorder').set({ since: oldest }).where('since', '<', oldest).execute());
  }
  return oldest;
}

async function oldestEnd(db: Db): Promise<number | undefined> {
  const { oldest } = await db
    .selectFrom('stay')
    .select(({ fn }) => fn.min('ended').as('oldest'))
    .executeTakeFirstOrThrow();
  return oldest ?? undefined;
}

async function removeStays(db: Db, most: number, endedBefore = Number.MAX_SAFE_INTEGER): Promise<number> {
  const oldest = db
    .selectFrom('stay')
    .select(['sandbox_uid', 'seen'])
    .where('ended', '<', endedBefore)
    .orderBy('ended')
    .limit(most);
  const { numDeletedRows } = await db
    .deleteFrom('stay')
    .where(sql<boolean>`(sandbox_uid, seen) in ${oldest}`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function countStays(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('stay')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ended', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Removes what stays that are gone have left behind.
 * @param ids of the process that alone stores places
 */
export async function removeLeftovers(db: Db, ids: PlaceIds): Promise<void> {
  ids.clear();
  await db
    .deleteFrom('place')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('stay').select('seen').whereRef('stay.place', '=', 'place.id'))),
    )
    .execute();
  const oldest = await oldestEnd(db);
  if (oldest !== undefined) await db.deleteFrom('gap').where('ended', '<', oldest).execute();
}
