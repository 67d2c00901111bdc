import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type History, HistoryUnavailable } from '../database';
import { onBothDatabases } from '../testing';
import { Recorder, type RecorderLimits } from './recorder';
import { gapsSince, stayOf, staysOfSandbox } from './store';
import { start, TestWatch } from './watch.testing';

const second = 1_000;
const limits: RecorderLimits = { keepDays: 14, keepRows: 1_000_000, mostWaiting: 10_000 };

onBothDatabases((database, kind) => {
  let watch: TestWatch;
  let recorders: Recorder[];
  beforeEach(() => {
    watch = new TestWatch();
    recorders = [];
  });
  afterEach(() => {
    for (const each of recorders) each.abandon();
  });

  /** A console process: a recorder on a database, which has listed already. */
  function console(over: Partial<RecorderLimits> = {}) {
    const now = () => watch.now;
    const history = database.open(now);
    const view = watch.view();
    const recorder = new Recorder(view, history, { ...limits, ...over }, now, now);
    recorders.push(recorder);
    view.list();
    return { history, view, recorder };
  }
  const pass = (ms: number) => {
    watch.now += ms;
  };

  /** Stays as `state gate from-to`, in seconds since the start; `?` unknown, `~` torn, `…` not over. */
  async function told(history: History, uid: string): Promise<string[]> {
    const stays = (await history.read((db) => staysOfSandbox(db, 'lab', uid, 100))).map(stayOf);
    const at = (time: number | undefined) => (time === undefined ? '?' : String((time - start) / second));
    return stays.map(({ state, stage, gate, from, end }) => {
      const to = end ? `${end.torn ? '~' : ''}${at(end.at)}` : '…';
      return [state, stage, gate, `${at(from)}-${to}`].filter(Boolean).join(' ');
    });
  }
  const durations = async (history: History) =>
    (await history.read((db) => db.selectFrom('stay').selectAll().orderBy('seen').execute())).map(
      ({ ms, stage_ms, state_ms }) => [ms, stage_ms, state_ms],
    );

  it('does not count on a place whose storing failed with the stay', async () => {
    const { history, recorder } = console();
    await recorder.flush();
    const rename = (from: string, to: string) => history.use((db) => db.schema.alterTable(from).renameTo(to).execute());
    watch.enter('a', 'Running');
    await rename('stay', 'stay_away');
    await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
    pass(10_000);
    await rename('stay_away', 'stay');
    watch.enter('b', 'Paused');
    await recorder.flush();
    expect(await told(history, 'a')).toEqual(['Running 0-…']);
    expect(await told(history, 'b')).toEqual(['Paused 10-…']);
  });

  describe('what is seen as it happens', () => {
    it('becomes stays that share their edges, timed by a condition where there is one', async () => {
      const { history, recorder } = console();
      watch.set('a', { state: 'Creating', since: start, sinceFrom: 'created', gate: 'TakenUp' });
      pass(400);
      watch.set('a', { gate: 'PodRunning' });
      pass(4_000);
      watch.enter('a', 'Available');
      await recorder.flush();
      expect(await told(history, 'a')).toEqual([
        'Creating TakenUp 0-0.4',
        'Creating PodRunning 0.4-4',
        'Available 4-…',
      ]);
      expect(await durations(history)).toEqual([
        [400, null, null],
        [3_600, null, 4_000],
        [null, null, null],
      ]);
      const sources = await history.read((db) => db.selectFrom('stay').select('begun_from').orderBy('seen').execute());
      expect(sources.map((row) => row.begun_from)).toEqual(['created', 'observed', 'condition']);
    });

    it('is timed by the Pod where that says when a gate was passed', async () => {
      const { history, recorder } = console();
      watch.set('a', { state: 'Creating', since: start, sinceFrom: 'created', gate: 'Scheduled' });
      pass(9_500);
      watch.set('a', { gate: 'PodRunning', node: 'node-1' }, { scheduledAt: start + 7 * second });
      pass(5_000);
      // A restart has moved the start of its container: that says nothing of this gate.
      watch.set('a', { gate: 'PodReady' }, { scheduledAt: start + 7 * second, startedAt: start + 60 * second });
      await recorder.flush();
      expect(await told(history, 'a')).toEqual([
        'Creating Scheduled 0-7',
        'Creating PodRunning 7-14.5',
        'Creating PodReady 14.5-…',
      ]);
    });

    it('counts a stage over its gates, and a state over its stages', async () => {
      const { history, recorder } = console();
      watch.enter('a', 'Running');
      watch.enter('a', 'Upgrading', { stage: 'PreUpgrade', gate: 'PreUpgradeHook' });
      pass(1_000);
      watch.set('a', { stage: 'UpgradePod', gate: 'OldPodGone' });
      pass(2_000);
      watch.set('a', { gate: 'PodRunning' });
      pass(3_000);
      watch.enter('a', 'Running');
      pass(60_000);
      watch.remove('a');
      await recorder.flush();
      expect(await durations(history)).toEqual([
        [0, null, 0],
        [1_000, 1_000, null],
        [2_000, null, null],
        [3_000, 5_000, 6_000],
        [60_000, null, 60_000],
      ]);
    });

    it('keeps node, revision, Pod and cause as they became known', async () => {
      const { history, recorder } = console();
      watch.set('a', { state: 'Resuming', gate: 'PodExists', pool: 'web', hash: 'r1' });
      watch.set('a', { node: 'node-1', cause: { code: 'PodMissing' } }, {});
      watch.set('a', { cause: undefined } as never);
      await recorder.flush();
      watch.enter('b', 'Paused');
      watch.set('b', { cause: { code: 'ControllerLag' }, node: 'node-2' }, {});
      await recorder.flush();
      const [paused] = await history.read((db) => staysOfSandbox(db, 'lab', 'b', 10));
      expect(paused).toMatchObject({ node: '', pod_uid: null, cause: null });
      const [stay] = await history.read((db) => staysOfSandbox(db, 'lab', 'a', 10));
      expect(stay).toMatchObject({
        pool: 'web',
        node: 'node-1',
        revision: 'r1',
        pod_uid: 'pod-of-a',
        cause: 'PodMissing',
      });
    });
  });

  describe('what nobody saw', () => {
    it('is a gap: a stay goes on only when the cluster proves that it does', async () => {
      watch.enter('same', 'Running');
      watch.enter('other', 'Running');
      watch.enter('left', 'Running');
      watch.enter('gone', 'Running');
      watch.set('failed', { state: 'Failed' });
      const first = console();
      pass(10_000);
      watch.enter('left', 'Paused');
      await first.recorder.flush();
      first.recorder.abandon();
      first.view.break();

      pass(60_000);
      watch.enter('other', 'Paused');
      watch.enter('left', 'Resuming', { gate: 'InitImages' });
      watch.enter('left', 'Paused');
      watch.remove('gone');
      watch.enter('new', 'Creating', { gate: 'Scheduled' });
      pass(30_000);
      const second = console();
      pass(15_000);
      await second.recorder.flush().catch(() => undefined);
      pass(15_000);
      await second.recorder.flush();

      const { history } = second;
      expect(await told(history, 'same')).toEqual(['Running 0-…']);
      expect(await told(history, 'other')).toEqual(['Running 0-~10', 'Paused 70-…']);
      expect(await told(history, 'left')).toEqual(['Running 0-10', 'Paused 10-~10', 'Paused 70-…']);
      expect(await told(history, 'gone')).toEqual(['Running 0-~10']);
      expect(await told(history, 'failed')).toEqual(['Failed ?-~10', 'Failed ?-…']);
      expect(await told(history, 'new')).toEqual(['Creating Scheduled ?-…']);
      expect(await history.read((db) => gapsSince(db, 0))).toEqual([{ began: start + 10_000, ended: start + 100_000 }]);
    });

    it('is no silence when only the time of day jumps', async () => {
      const first = console();
      await first.recorder.flush();
      const view = watch.view();
      const second = new Recorder(
        view,
        first.history,
        limits,
        () => watch.now,
        () => 0,
      );
      recorders.push(second);
      view.list();
      await second.flush();
      pass(3_600_000);
      await second.flush();
      await second.flush();
      expect(second.leads).toBe(false);
    });

    it('ends a gate, not its state, when the state is proven to be the same', async () => {
      const first = console();
      watch.enter('a', 'Resuming', { gate: 'PodExists' });
      pass(1_000);
      await first.recorder.stop();
      first.view.break();
      pass(20_000);
      watch.set('a', { gate: 'InitImages' }, { startedAt: start + 12_000 });
      pass(20_000);
      const second = console();
      await second.recorder.flush();
      pass(5_000);
      watch.enter('a', 'Running');
      await second.recorder.flush();
      expect(await told(second.history, 'a')).toEqual([
        'Resuming PodExists 0-~1',
        'Resuming InitImages 12-46',
        'Running 46-…',
      ]);
      expect(await durations(second.history)).toEqual([
        [-1, null, null],
        [34_000, null, 46_000],
        [null, null, null],
      ]);
    });

    it('is a gap in the same process while the watch is broken', async () => {
      const { history, view, recorder } = console();
      watch.enter('a', 'Resuming', { gate: 'PodExists' });
      watch.enter('b', 'Running');
      pass(2_000);
      view.break();
      pass(30_000);
      watch.enter('a', 'Running');
      watch.enter('b', 'Running');
      watch.remove('c');
      pass(5_000);
      view.list();
      await recorder.flush();
      expect(await told(history, 'a')).toEqual(['Resuming PodExists 0-~2', 'Running 32-…']);
      expect(await told(history, 'b')).toEqual(['Running 0-~2', 'Running 32-…']);
      expect(await history.read((db) => gapsSince(db, 0))).toEqual([{ began: start + 2_000, ended: start + 37_000 }]);
    });
  });

  describe('several consoles on one database', () => {
    it('write everything once, and the next one goes on without a gap when the first is killed', async () => {
      const [first, second] = [console(), console()];
      watch.enter('a', 'Creating', { gate: 'TakenUp' });
      pass(1_000);
      watch.enter('a', 'Available');
      await first.recorder.flush();
      await second.recorder.flush();
      pass(1_000);
      watch.enter('a', 'Running');
      await Promise.all([first.recorder.flush(), second.recorder.flush()]);
      expect([first.recorder.leads, second.recorder.leads]).toEqual([true, false]);
      expect(await told(second.history, 'a')).toEqual(['Creating TakenUp 0-1', 'Available 1-2', 'Running 2-…']);

      first.recorder.abandon();
      pass(3_000);
      watch.enter('a', 'Pausing', { gate: 'PodGone' });
      watch.enter('b', 'Creating');
      pass(4_000);
      watch.enter('a', 'Paused');
      await second.recorder.flush();
      expect(await told(second.history, 'b')).toEqual([]);
      pass(16_000);
      await second.recorder.flush();
      expect(second.recorder.leads).toBe(true);
      expect(await told(second.history, 'a')).toEqual([
        'Creating TakenUp 0-1',
        'Available 1-2',
        'Running 2-5',
        'Pausing PodGone 5-9',
        'Paused 9-…',
      ]);
      expect(await told(second.history, 'b')).toEqual(['Creating 5-…']);
      expect(await second.history.read((db) => gapsSince(db, 0))).toEqual([]);
      // The first one was only held up, and comes back.
      await first.recorder.flush();
      expect(first.recorder.leads).toBe(false);
      expect(await told(second.history, 'a')).toHaveLength(5);
    });
  });

  describe('a database that is away', () => {
    it('loses nothing while what waits fits into memory', async () => {
      const { history, recorder } = console();
      watch.enter('a', 'Creating');
      await recorder.flush();
      const refused = refusing(history);
      for (let i = 0; i < 20; i++) {
        pass(1_000);
        watch.enter('a', i % 2 ? 'Running' : 'Paused');
      }
      await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
      expect(recorder.store()).toMatchObject({ state: 'unavailable', lostSince: start, why: /\w/ });
      expect(recorder.waiting('a')).toHaveLength(21);
      refused.end();
      pass(5_000);
      await recorder.flush();
      expect(await told(history, 'a')).toHaveLength(21);
      expect(recorder.store()).toEqual({ state: 'ok', keepDays: 14, keepRows: 1_000_000 });
      expect(recorder.waiting('a')).toHaveLength(1);
    });

    it('drops what does not fit, and says so: a gap, and torn stays', async () => {
      const { history, recorder } = console({ mostWaiting: 3 });
      watch.enter('a', 'Creating');
      watch.enter('b', 'Creating');
      await recorder.flush();
      const refused = refusing(history);
      for (let i = 1; i <= 6; i++) {
        pass(1_000);
        watch.enter('a', i % 2 ? 'Running' : 'Paused');
      }
      watch.enter('b', 'Available');
      await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
      expect(recorder.store()).toMatchObject({ lostSince: start + 3_000 });
      refused.end();
      pass(5_000);
      await recorder.flush();
      expect(await told(history, 'a')).toEqual(['Creating 0-1', 'Running 1-2', 'Paused 2-3', 'Paused 6-…']);
      expect(await told(history, 'b')).toEqual(['Creating 0-~3', 'Available 6-…']);
      expect(await history.read((db) => gapsSince(db, 0))).toEqual([{ began: start + 3_000, ended: start + 11_000 }]);
      expect(recorder.store().lostSince).toBeUndefined();
      pass(1_000);
      watch.enter('a', 'Running');
      await recorder.flush();
      expect((await told(history, 'a')).slice(-2)).toEqual(['Paused 6-12', 'Running 12-…']);
    });
  });

  it.runIf(kind === 'PostgreSQL')(
    'has all that it had acknowledged after PostgreSQL was killed, and what came since',
    async () => {
      const { history, recorder } = console();
      watch.enter('a', 'Creating');
      pass(1_000);
      watch.enter('a', 'Available');
      await recorder.flush();
      await database.server().kill();
      pass(1_000);
      watch.enter('a', 'Running');
      await expect(recorder.flush()).rejects.toThrow(HistoryUnavailable);
      expect(recorder.store()).toMatchObject({ state: 'unavailable', lostSince: start + 1_000 });
      await database.server().start();
      pass(10_000);
      watch.enter('a', 'Paused');
      await recorder.flush();
      expect(await told(history, 'a')).toEqual(['Creating 0-1', 'Available 1-2', 'Running 2-12', 'Paused 12-…']);
      expect(recorder.store().lostSince).toBeUndefined();
    },
  );

  it('keeps no more than it is told to, the latest of all', async () => {
    const { history, recorder } = console({ keepDays: 1, keepRows: 25 });
    watch.enter('a', 'Creating');
    for (let i = 0; i < 30; i++) {
      pass(1_000);
      watch.enter('a', i % 2 ? 'Running' : 'Paused');
    }
    await recorder.flush();
    await recorder.prune();
    expect(await told(history, 'a')).toHaveLength(26);
    expect((await told(history, 'a'))[0]).toBe('Paused 5-6');
    expect(recorder.store().oldest).toBe(start + 6_000);
    expect((await history.read((db) => db.selectFrom('recorder').select('since').execute()))[0]?.since).toBe(
      start + 6_000,
    );
    pass(24 * 3_600_000 - 10_000);
    await recorder.prune();
    expect(await told(history, 'a')).toEqual(expect.arrayContaining(['Running 30-…']));
    expect((await told(history, 'a')).length).toBeLessThan(15);
  });

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
