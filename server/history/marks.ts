import 'server-only';
import { randomUUID } from 'node:crypto';
import { type Mark, type MarkScope, markScope, type SetMarkRequest } from '@/lib/contracts/triage';
import { log } from '../log';
import type { History } from './database';
import { parsedJson } from './json';
import type { Tables } from './tables';

type Row = Tables['mark'];

/** Of so many marks the oldest are forgotten first. */
export const mostMarks = 2_000;

/** The same scope is always the same text. */
const scopeText = (scope: MarkScope): string => {
  const parts = Object.entries(markScope.parse(scope)).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1))));
};

/** None for one that another version has stored in a way that this one cannot read. */
function markOf(row: Row): Mark[] {
  const scope = markScope.safeParse(parsedJson(row.scope)).data;
  if (!scope) {
    log.warn({ key: 'mark.unreadable', mark: row.id, namespace: row.namespace });
    return [];
  }
  return [
    {
      id: row.id,
      scope,
      kind: row.kind,
      by: row.actor,
      at: row.at,
      ...(row.until === null ? {} : { until: row.until }),
      ...(row.note === null ? {} : { note: row.note }),
      version: row.version,
    },
  ];
}

/** All there are. @throws {HistoryUnavailable} as all of these */
export async function loadMarks(history: History): Promise<Mark[]> {
  const rows = await history.read((db) => db.selectFrom('mark').selectAll().orderBy('at', 'desc').execute());
  return rows.flatMap(markOf);
}

/** `other`: somebody else's that was not seen; nothing was changed. */
export type MarkOutcome = { mark: Mark } | { other: Mark };

/**
 * Puts a mark on a scope, over the one whose version was seen there, in one transaction. One that has gone meanwhile is no
 * obstacle: nobody is overwritten. A version never comes twice on a scope, also when a mark was taken away in between.
 */
export function setMark(history: History, asked: SetMarkRequest, by: string, now: number): Promise<MarkOutcome> {
  const scope = scopeText(asked.scope);
  return history.use((db) =>
    db.transaction().execute(async (transaction) => {
      const { id, ...change }: Row = {
        id: randomUUID(),
        namespace: asked.scope.ns,
        scope,
        kind: asked.kind,
        actor: by,
        at: now,
        until: asked.until ?? null,
        note: asked.note ?? null,
        version: Math.max(now, asked.version + 1),
      };
      const written = await transaction
        .insertInto('mark')
        .values({ id, ...change })
        .onConflict((conflict) =>
          conflict.column('scope').doUpdateSet(change).where('mark.version', '=', asked.version),
        )
        .returningAll()
        .executeTakeFirst();
      const [mark] = written ? markOf(written) : [];
      if (mark) return { mark };
      const theirs = await transaction
        .selectFrom('mark')
        .selectAll()
        .where('scope', '=', scope)
        .executeTakeFirstOrThrow();
      const [other] = markOf(theirs);
      if (!other) throw new Error('a mark on a scope that cannot be read');
      return { other };
    }),
  );
}

/** Takes a mark away, unless it has changed since it was seen. `undefined`: it is gone already. */
export function removeMark(history: History, id: string, version: number): Promise<MarkOutcome | undefined> {
  return history.use(async (db) => {
    const gone = await db
      .deleteFrom('mark')
      .where('id', '=', id)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst();
    const [mark] = gone ? markOf(gone) : [];
    if (mark) return { mark };
    const known = await db.selectFrom('mark').selectAll().where('id', '=', id).executeTakeFirst();
    const [other] = known ? markOf(known) : [];
    return other && { other };
  });
}

/** Takes away what is over, as long as nobody has changed it, and the oldest of too many. */
export function pruneMarks(history: History, over: readonly Pick<Mark, 'id' | 'version'>[]): Promise<void> {
  return history.use((db) =>
    db.transaction().execute(async (transaction) => {
      for (const { id, version } of over) {
        await transaction.deleteFrom('mark').where('id', '=', id).where('version', '=', version).execute();
      }
      const beyond = await transaction
        .selectFrom('mark')
        .select('id')
        .orderBy('at', 'desc')
        .offset(mostMarks)
        .limit(1_000)
        .execute();
      if (beyond.length > 0) {
        await transaction
          .deleteFrom('mark')
          .where(
            'id',
            'in',
            beyond.map(({ id }) => id),
          )
          .execute();
      }
    }),
  );
}
