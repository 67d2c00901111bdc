import 'server-only';
import type { Kysely } from 'kysely';
import type { Tables } from '../history/tables';
import { recordOf } from './rows';

type Db = Kysely<Tables>;

/** What is kept of ended tasks at most: of all people together, and of each one. */
export type TaskBounds = { tasks: number; bytes: number; ofPerson: { tasks: number; bytes: number } };
export const taskBounds: TaskBounds = {
  tasks: 2_000,
  bytes: 512 * 1024 * 1024,
  // More than one task may leave: its output, and its results as base64.
  ofPerson: { tasks: 500, bytes: 256 * 1024 * 1024 },
};
/** At once: what waits for the database waits for this. */
const mostForgotten = 50;

/** Ended tasks older than `before`, and those past the bounds, are forgotten with what they printed and wrote. */
export async function removeOldTasks(db: Db, before: number, now: number, bounds: TaskBounds): Promise<void> {
  const ended = await db
    .selectFrom('task')
    .select(['id', 'person', 'ended_at', 'bytes'])
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .execute();
  const stays = staying(ended, before, bounds);
  let left = mostForgotten;
  for (const { id } of ended.filter((row) => !stays.has(row.id)).reverse()) {
    if (left === 0) return;
    // A sandbox whose task nobody knows is given back.
    if (await isKept(db, id, now)) continue;
    await forget(db, id);
    left -= 1;
  }
}

type Ended = Pick<Tables['task'], 'id' | 'person' | 'ended_at' | 'bytes'>;

/**
 * The newest of each person stays, whatever its size, and of the others those for which there is room.
 * @param ended newest first. @returns ids; past the bounds of all together, who has the most of them gives way
 */
function staying(ended: readonly Ended[], before: number, { tasks, bytes, ofPerson }: TaskBounds): Set<string> {
  const owned = new Map<string, { place: number; upTo: number }>();
  const fair = ended
    .filter((row) => Number(row.ended_at) >= before)
    .flatMap((row) => {
      const { place, upTo } = owned.get(row.person) ?? { place: 0, upTo: 0 };
      const own = { place: place + 1, upTo: upTo + Number(row.bytes) };
      if (place > 0 && (own.place > ofPerson.tasks || own.upTo > ofPerson.bytes)) return [];
      owned.set(row.person, own);
      return [{ ...row, ...own }];
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, tasks)
    .sort((a, b) => a.upTo - b.upTo);
  let sum = 0;
  const room = fair.filter((row) => {
    sum += Number(row.bytes);
    return sum <= bytes;
  });
  return new Set(room.map(({ id }) => id));
}

async function isKept(db: Db, id: string, now: number): Promise<boolean> {
  const row = await db.selectFrom('task').select(['id', 'record']).where('id', '=', id).executeTakeFirst();
  // Another process forgets, too.
  return (row ? recordOf(row) : []).some(({ keptUntil }) => keptUntil !== undefined && keptUntil > now);
}

async function forget(db: Db, task: string): Promise<void> {
  await db.deleteFrom('task_output').where('task', '=', task).execute();
  await db.deleteFrom('task_file').where('task', '=', task).execute();
  await db.deleteFrom('task').where('id', '=', task).execute();
}
