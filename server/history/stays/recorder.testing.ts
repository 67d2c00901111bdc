import { afterEach, beforeEach } from 'vitest';
import type { History } from '../database';
import type { TestDatabase } from '../testing';
import { Recorder, type RecorderLimits } from './recorder';
import { stayOf, staysOfSandbox } from './store';
import { start, TestWatch } from './watch.testing';

export const second = 1_000;
export const limits: RecorderLimits = { keepDays: 14, keepRows: 1_000_000, mostWaiting: 10_000 };

/** Console processes on a database and one watched cluster, anew for each test of the block that this is called in. */
export function recording(database: TestDatabase) {
  const world = {
    watch: new TestWatch(),
    recorders: [] as Recorder[],

    /** A console process: a recorder on a database, which has listed already. */
    console(over: Partial<RecorderLimits> = {}) {
      const now = () => world.watch.now;
      const history = database.open(now);
      const view = world.watch.view();
      const recorder = new Recorder(view, history, { ...limits, ...over }, now, now);
      world.recorders.push(recorder);
      view.list();
      return { history, view, recorder };
    },

    pass(ms: number) {
      world.watch.now += ms;
    },
  };
  beforeEach(() => {
    world.watch = new TestWatch();
    world.recorders = [];
  });
  afterEach(() => {
    for (const each of world.recorders) each.abandon();
  });
  return world;
}

/** Stays as `state gate from-to`, in seconds since the start; `?` unknown, `~` torn, `…` not over. */
export async function told(history: History, uid: string): Promise<string[]> {
  const stays = (await history.read((db) => staysOfSandbox(db, 'lab', uid, 100))).map(stayOf);
  const at = (time: number | undefined) => (time === undefined ? '?' : String((time - start) / second));
  return stays.map(({ state, stage, gate, from, end }) => {
    const to = end ? `${end.torn ? '~' : ''}${at(end.at)}` : '…';
    return [state, stage, gate, `${at(from)}-${to}`].filter(Boolean).join(' ');
  });
}

/** How long each stay, its stage and its state took, as they are stored. */
export const durations = async (history: History) =>
  (await history.read((db) => db.selectFrom('stay').selectAll().orderBy('seen').execute())).map(
    ({ ms, stage_ms, state_ms }) => [ms, stage_ms, state_ms],
  );
