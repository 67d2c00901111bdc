import { describe, expect, it } from 'vitest';
import { onBothDatabases } from '../testing';
import { durations, recording, second, told } from './recorder.testing';
import { staysOfSandbox } from './store';
import { start } from './watch.testing';

onBothDatabases((database) => {
  const world = recording(database);

  describe('what is seen as it happens', () => {
    it('becomes stays that share their edges, timed by a condition where there is one', async () => {
      const { history, recorder } = world.console();
      world.watch.set('a', { state: 'Creating', since: start, sinceFrom: 'created', gate: 'TakenUp' });
      world.pass(400);
      world.watch.set('a', { gate: 'PodRunning' });
      world.pass(4_000);
      world.watch.enter('a', 'Available');
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
      const { history, recorder } = world.console();
      world.watch.set('a', { state: 'Creating', since: start, sinceFrom: 'created', gate: 'Scheduled' });
      world.pass(9_500);
      world.watch.set('a', { gate: 'PodRunning', node: 'node-1' }, { scheduledAt: start + 7 * second });
      world.pass(5_000);
      // A restart has moved the start of its container: that says nothing of this gate.
      world.watch.set('a', { gate: 'PodReady' }, { scheduledAt: start + 7 * second, startedAt: start + 60 * second });
      await recorder.flush();
      expect(await told(history, 'a')).toEqual([
        'Creating Scheduled 0-7',
        'Creating PodRunning 7-14.5',
        'Creating PodReady 14.5-…',
      ]);
    });

    it('counts a stage over its gates, and a state over its stages', async () => {
      const { history, recorder } = world.console();
      world.watch.enter('a', 'Running');
      world.watch.enter('a', 'Upgrading', { stage: 'PreUpgrade', gate: 'PreUpgradeHook' });
      world.pass(1_000);
      world.watch.set('a', { stage: 'UpgradePod', gate: 'OldPodGone' });
      world.pass(2_000);
      world.watch.set('a', { gate: 'PodRunning' });
      world.pass(3_000);
      world.watch.enter('a', 'Running');
      world.pass(60_000);
      world.watch.remove('a');
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
      const { history, recorder } = world.console();
      world.watch.set('a', { state: 'Resuming', gate: 'PodExists', pool: 'web', hash: 'r1' });
      world.watch.set('a', { node: 'node-1', cause: { code: 'PodMissing' } }, {});
      world.watch.set('a', { cause: undefined } as never);
      await recorder.flush();
      world.watch.enter('b', 'Paused');
      world.watch.set('b', { cause: { code: 'ControllerLag' }, node: 'node-2' }, {});
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

  it('keeps no more than it is told to, the latest of all', async () => {
    const { history, recorder } = world.console({ keepDays: 1, keepRows: 25 });
    world.watch.enter('a', 'Creating');
    for (let i = 0; i < 30; i++) {
      world.pass(1_000);
      world.watch.enter('a', i % 2 ? 'Running' : 'Paused');
    }
    await recorder.flush();
    await recorder.prune();
    expect(await told(history, 'a')).toHaveLength(26);
    expect((await told(history, 'a'))[0]).toBe('Paused 5-6');
    expect(recorder.store().oldest).toBe(start + 6_000);
    expect((await history.read((db) => db.selectFrom('recorder').select('since').execute()))[0]?.since).toBe(
      start + 6_000,
    );
    world.pass(24 * 3_600_000 - 10_000);
    await recorder.prune();
    expect(await told(history, 'a')).toEqual(expect.arrayContaining(['Running 30-…']));
    expect((await told(history, 'a')).length).toBeLessThan(15);
  });
});
