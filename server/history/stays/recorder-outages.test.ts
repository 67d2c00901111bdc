import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type History, HistoryUnavailable } from '../database';
import { onBothDatabases } from '../testing';
import { recording, told } from './recorder.testing';
import { gapsSince } from './store';
import { start } from './watch.testing';

onBothDatabases((database, kind) => {
  const world = recording(database);

  it('does not count on a place whose storing failed with the stay', async () => {
    const { history, recorder } = world.console();
    await recorder.flush();
    const rename = (from: string, to: string) => history.use((db) => db.schema.alterTable(from).renameTo(to).execute());
    world.watch.enter('a', 'Running');
    await rename('stay', 'stay_away');
    await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
    world.pass(10_000);
    await rename('stay_away', 'stay');
    world.watch.enter('b', 'Paused');
    await recorder.flush();
    expect(await told(history, 'a')).toEqual(['Running 0-…']);
    expect(await told(history, 'b')).toEqual(['Paused 10-…']);
  });

  describe('a database that is away', () => {
    it('loses nothing while what waits fits into memory', async () => {
      const { history, recorder } = world.console();
      world.watch.enter('a', 'Creating');
      await recorder.flush();
      const refused = refusing(history);
      for (let i = 0; i < 20; i++) {
        world.pass(1_000);
        world.watch.enter('a', i % 2 ? 'Running' : 'Paused');
      }
      await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
      expect(recorder.store()).toMatchObject({ state: 'unavailable', lostSince: start, why: /\w/ });
      expect(recorder.waiting('a')).toHaveLength(21);
      refused.end();
      world.pass(5_000);
      await recorder.flush();
      expect(await told(history, 'a')).toHaveLength(21);
      expect(recorder.store()).toEqual({ state: 'ok', keepDays: 14, keepRows: 1_000_000 });
      expect(recorder.waiting('a')).toHaveLength(1);
    });

    it('drops what does not fit, and says so: a gap, and torn stays', async () => {
      const { history, recorder } = world.console({ mostWaiting: 3 });
      world.watch.enter('a', 'Creating');
      world.watch.enter('b', 'Creating');
      await recorder.flush();
      const refused = refusing(history);
      for (let i = 1; i <= 6; i++) {
        world.pass(1_000);
        world.watch.enter('a', i % 2 ? 'Running' : 'Paused');
      }
      world.watch.enter('b', 'Available');
      await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
      expect(recorder.store()).toMatchObject({ lostSince: start + 3_000 });
      refused.end();
      world.pass(5_000);
      await recorder.flush();
      expect(await told(history, 'a')).toEqual(['Creating 0-1', 'Running 1-2', 'Paused 2-3', 'Paused 6-…']);
      expect(await told(history, 'b')).toEqual(['Creating 0-~3', 'Available 6-…']);
      expect(await history.read((db) => gapsSince(db, 0))).toEqual([{ began: start + 3_000, ended: start + 11_000 }]);
      expect(recorder.store().lostSince).toBeUndefined();
      world.pass(1_000);
      world.watch.enter('a', 'Running');
      await recorder.flush();
      expect((await told(history, 'a')).slice(-2)).toEqual(['Paused 6-12', 'Running 12-…']);
    });
  });

  it.runIf(kind === 'PostgreSQL')(
    'has all that it had acknowledged after PostgreSQL was killed, and what came since',
    async () => {
      const { history, recorder } = world.console();
      world.watch.enter('a', 'Creating');
      world.pass(1_000);
      world.watch.enter('a', 'Available');
      await recorder.flush();
      await database.server().kill();
      world.pass(1_000);
      world.watch.enter('a', 'Running');
      await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
      expect(recorder.store()).toMatchObject({ state: 'unavailable', lostSince: start + 1_000 });
      await database.server().start();
      world.pass(10_000);
      world.watch.enter('a', 'Paused');
      await recorder.flush();
      expect(await told(history, 'a')).toEqual(['Creating 0-1', 'Available 1-2', 'Running 2-12', 'Paused 12-…']);
      expect(recorder.store().lostSince).toBeUndefined();
    },
  );

  /** As a full disk does it: what is written is refused. */
  function refusing(history: History) {
    const use = history.use;
    const shut: History['use'] = (work) =>
      use((db) =>
        work(db).then(async (done) => {
          await sql`select refused from nowhere`.execute(db);
          return done;
        }),
      );
    history.use = shut;
    return {
      end: () => {
        history.use = use;
      },
    };
  }
});
