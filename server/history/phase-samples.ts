import 'server-only';
import { type Kysely, sql } from 'kysely';
import { type History, HistoryUnavailable } from './database';
import type { Tables } from './tables';

export const minuteMs = 60_000;
const storedMs = 24 * 60 * 60_000;

/** Counts as text: kept by namespace, because people see different ones, and many. */
export type Sample = { at: number; byNamespace: Map<string, string> };

export const minuteOf = (at: number): number => Math.floor(at / minuteMs);

/** Of minutes that have a sample already, another process's, none; what is a day old goes. @throws {HistoryUnavailable} */
export function storeSamples(history: History, samples: readonly Sample[]): Promise<void> {
  // In one piece: of a minute that is there only in part, the rest would never be added.
  const store = async (db: Kysely<Tables>) => {
    const [first, newest] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0];
    const from = minuteOf(first) * minuteMs;
    const known = await db.selectFrom('phase_sample').select('at').distinct().where('at', '>=', from).execute();
    const minutes = new Set(known.map(({ at }) => minuteOf(at)));
    const rows = samples
      .filter(({ at }) => !minutes.has(minuteOf(at)))
      .flatMap(({ at, byNamespace }) => [...byNamespace].map(([namespace, text]) => ({ at, namespace, counts: text })));
    for (let from = 0; from < rows.length; from += 1_000) {
      await db
        .insertInto('phase_sample')
        .values(rows.slice(from, from + 1_000))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await db
      .deleteFrom('phase_sample')
      .where('at', '<', newest - storedMs)
      .execute();
  };
  return history.use((db) => db.transaction().execute(store));
}

/** Stored samples from `from` to before `to`, the first of each `step` ms, oldest first; none while the database is away. */
export async function loadSamples(
  history: History,
  from: number,
  to: number,
  step: number,
  namespace: string | undefined,
): Promise<Sample[]> {
  try {
    const rows = await history.read((db) => {
      const some = db.selectFrom('phase_sample').where('at', '>=', from).where('at', '<', to);
      const ofEachStep = some
        .select(({ fn }) => fn.min('at').as('first'))
        .groupBy(sql`at / cast(${sql.lit(step)} as bigint)`);
      const thin = step === minuteMs ? some.selectAll() : some.selectAll().where('at', 'in', ofEachStep);
      return (namespace === undefined ? thin : thin.where('namespace', '=', namespace)).orderBy('at').execute();
    });
    const samples = new Map<number, Sample>();
    for (const row of rows) {
      const sample = samples.get(row.at) ?? { at: row.at, byNamespace: new Map() };
      sample.byNamespace.set(row.namespace, row.counts);
      samples.set(row.at, sample);
    }
    return [...samples.values()];
  } catch (error) {
    if (error instanceof HistoryUnavailable) return [];
    throw error;
  }
}
