import 'server-only';
import type { Insertable, Kysely } from 'kysely';
import type { PlaceTable, StayTable, Tables } from '../tables';
import { durationsOf, type Stay } from './stay';

type Db = Kysely<Tables>;

const rowsAtOnce = 200;

/** Ids of places by their content; of one process, and only as long as it alone removes places. */
export type PlaceIds = Map<string, number>;

const placeColumns = ['namespace', 'pool', 'node', 'revision', 'state', 'stage', 'gate'] as const;
type Place = Omit<Insertable<PlaceTable>, 'id'>;

const placeOf = ({ ns, pool = '', node = '', revision = '', state, stage = '', gate = '' }: Stay): Place => ({
  namespace: ns,
  pool,
  node,
  revision,
  state,
  stage,
  gate,
});
const textOf = (place: Place): string => JSON.stringify(placeColumns.map((column) => place[column]));

/** Stores stays as they are now, again and again if need be. */
export async function saveStays(db: Db, ids: PlaceIds, stays: readonly Stay[]): Promise<void> {
  await numberPlaces(db, ids, stays);
  const rows = stays.map(
    (stay): Insertable<StayTable> => ({
      sandbox_uid: stay.uid,
      seen: stay.seen,
      place: ids.get(textOf(placeOf(stay))) ?? 0,
      begun: stay.from ?? null,
      begun_from: stay.fromSource,
      state_begun: stay.stateFrom ?? null,
      stage_begun: stay.stageFrom ?? null,
      ended: stay.end?.at ?? null,
      torn: stay.end?.torn ? 1 : 0,
      ...durationsOf(stay),
      pod_uid: stay.podUid ?? null,
      cause: stay.cause ?? null,
      // Of no use when it has ended.
      observed_since: stay.end ? null : (stay.observed?.since ?? null),
      observed_version: stay.end ? null : (stay.observed?.version ?? null),
    }),
  );
  for (const some of inPieces(rows)) {
    await db
      .insertInto('stay')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['sandbox_uid', 'seen']).doUpdateSet(({ ref }) => ({
          place: ref('excluded.place'),
          begun: ref('excluded.begun'),
          begun_from: ref('excluded.begun_from'),
          state_begun: ref('excluded.state_begun'),
          stage_begun: ref('excluded.stage_begun'),
          ended: ref('excluded.ended'),
          torn: ref('excluded.torn'),
          ms: ref('excluded.ms'),
          stage_ms: ref('excluded.stage_ms'),
          state_ms: ref('excluded.state_ms'),
          pod_uid: ref('excluded.pod_uid'),
          cause: ref('excluded.cause'),
          observed_since: ref('excluded.observed_since'),
          observed_version: ref('excluded.observed_version'),
        })),
      )
      .execute();
  }
}

async function numberPlaces(db: Db, ids: PlaceIds, stays: readonly Stay[]): Promise<void> {
  const places = new Map(stays.map(placeOf).map((place) => [textOf(place), place]));
  for (const some of inPieces([...places].filter(([text]) => !ids.has(text)).map(([, place]) => place))) {
    const numbered = await db
      .insertInto('place')
      .values(some)
      // Also one that is there already is to tell its id.
      .onConflict((conflict) =>
        conflict.columns([...placeColumns]).doUpdateSet(({ ref }) => ({ gate: ref('excluded.gate') })),
      )
      .returningAll()
      .execute();
    for (const { id, ...place } of numbered) ids.set(textOf(place), id);
  }
}

function* inPieces<T>(all: readonly T[]): Iterable<T[]> {
  for (let from = 0; from < all.length; from += rowsAtOnce) yield all.slice(from, from + rowsAtOnce);
}

export type StoredStay = StayTable & Omit<PlaceTable, 'id'>;

const joined = (db: Db) =>
  db
    .selectFrom('stay')
    .innerJoin('place', 'place.id', 'stay.place')
    .selectAll('stay')
    .select(placeColumns.map((column) => `place.${column}` as const));

/** Stays that have not ended. */
export const openStays = (db: Db): Promise<StoredStay[]> => joined(db).where('ended', 'is', null).execute();

/** Of one sandbox, oldest first; of very many, the latest. */
export async function staysOfSandbox(db: Db, namespace: string, uid: string, most: number): Promise<StoredStay[]> {
  const latest = await joined(db)
    .where('sandbox_uid', '=', uid)
    .where('namespace', '=', namespace)
    .orderBy('seen', 'desc')
    .limit(most)
    .execute();
  return latest.reverse();
}

export function stayOf(row: StoredStay): Stay {
  const text = (value: string | null) => value || undefined;
  return {
    uid: row.sandbox_uid,
    seen: row.seen,
    ns: row.namespace,
    state: row.state,
    stage: text(row.stage),
    gate: text(row.gate),
    pool: text(row.pool),
    node: text(row.node),
    revision: text(row.revision),
    podUid: text(row.pod_uid),
    cause: text(row.cause),
    from: row.begun ?? undefined,
    fromSource: row.begun_from,
    stateFrom: row.state_begun ?? undefined,
    stageFrom: row.stage_begun ?? undefined,
    ...(row.observed_since !== null && row.observed_version !== null
      ? { observed: { since: row.observed_since, version: row.observed_version } }
      : {}),
    ...(row.ended === null
      ? {}
      : { end: { at: row.ended, torn: row.torn === 1, state: row.state_ms !== null, stage: row.stage_ms !== null } }),
  };
}

export function saveGap(db: Db, began: number, ended: number): Promise<unknown> {
  return db
    .insertInto('gap')
    .values({ began, ended })
    .onConflict((conflict) => conflict.column('began').doUpdateSet({ ended }))
    .execute();
}

/** Gaps that touch the time from `from` on, oldest first. */
export const gapsSince = (db: Db, from: number) =>
  db.selectFrom('gap').selectAll().where('ended', '>', from).orderBy('began').execute();

export const readRecorder = (db: Db) => db.selectFrom('recorder').selectAll().executeTakeFirst();

export const markStored = (db: Db, stored: number): Promise<unknown> =>
  db.updateTable('recorder').set({ stored }).execute();
