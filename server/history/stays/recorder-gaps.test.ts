import { describe, expect, it } from 'vitest';
import { onBothDatabases } from '../testing';
import { Recorder } from './recorder';
import { durations, limits, recording, told } from './recorder.testing';
import { gapsSince } from './store';
import { start } from './watch.testing';

onBothDatabases((database) => {
  const world = recording(database);

  describe('what nobody saw', () => {
    it('is a gap: a stay goes on only when the cluster proves that it does', async () => {
      world.watch.enter('same', 'Running');
      world.watch.enter('other', 'Running');
      world.watch.enter('left', 'Running');
      world.watch.enter('gone', 'Running');
      world.watch.set('failed', { state: 'Failed' });
      const first = world.console();
      world.pass(10_000);
      world.watch.enter('left', 'Paused');
      await first.recorder.flush();
      first.recorder.abandon();
      first.view.break();

      world.pass(60_000);
      world.watch.enter('other', 'Paused');
      world.watch.enter('left', 'Resuming', { gate: 'InitImages' });
      world.watch.enter('left', 'Paused');
      world.watch.remove('gone');
      world.watch.enter('new', 'Creating', { gate: 'Scheduled' });
      world.pass(30_000);
      const second = world.console();
      world.pass(15_000);
      await second.recorder.flush().catch(() => undefined);
      world.pass(15_000);
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
      const first = world.console();
      await first.recorder.flush();
      const view = world.watch.view();
      const second = new Recorder(
        view,
        first.history,
        limits,
        () => world.watch.now,
        () => 0,
      );
      world.recorders.push(second);
      view.list();
      await second.flush();
      world.pass(3_600_000);
      await second.flush();
      await second.flush();
      expect(second.leads).toBe(false);
    });

    it('ends a gate, not its state, when the state is proven to be the same', async () => {
      const first = world.console();
      world.watch.enter('a', 'Resuming', { gate: 'PodExists' });
      world.pass(1_000);
      await first.recorder.stop();
      first.view.break();
      world.pass(20_000);
      world.watch.set('a', { gate: 'InitImages' }, { startedAt: start + 12_000 });
      world.pass(20_000);
      const second = world.console();
      await second.recorder.flush();
      world.pass(5_000);
      world.watch.enter('a', 'Running');
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
      const { history, view, recorder } = world.console();
      world.watch.enter('a', 'Resuming', { gate: 'PodExists' });
      world.watch.enter('b', 'Running');
      world.pass(2_000);
      view.break();
      world.pass(30_000);
      world.watch.enter('a', 'Running');
      world.watch.enter('b', 'Running');
      world.watch.remove('c');
      world.pass(5_000);
      view.list();
      await recorder.flush();
      expect(await told(history, 'a')).toEqual(['Resuming PodExists 0-~2', 'Running 32-…']);
      expect(await told(history, 'b')).toEqual(['Running 0-~2', 'Running 32-…']);
      expect(await history.read((db) => gapsSince(db, 0))).toEqual([{ began: start + 2_000, ended: start + 37_000 }]);
    });
  });

  describe('several consoles on one database', () => {
    it('write everything once, and the next one goes on without a gap when the first is killed', async () => {
      const [first, second] = [world.console(), world.console()];
      world.watch.enter('a', 'Creating', { gate: 'TakenUp' });
      world.pass(1_000);
      world.watch.enter('a', 'Available');
      await first.recorder.flush();
      await second.recorder.flush();
      world.pass(1_000);
      world.watch.enter('a', 'Running');
      await Promise.all([first.recorder.flush(), second.recorder.flush()]);
      expect([first.recorder.leads, second.recorder.leads]).toEqual([true, false]);
      expect(await told(second.history, 'a')).toEqual(['Creating TakenUp 0-1', 'Available 1-2', 'Running 2-…']);

      first.recorder.abandon();
      world.pass(3_000);
      world.watch.enter('a', 'Pausing', { gate: 'PodGone' });
      world.watch.enter('b', 'Creating');
      world.pass(4_000);
      world.watch.enter('a', 'Paused');
      await second.recorder.flush();
      expect(await told(second.history, 'b')).toEqual([]);
      world.pass(16_000);
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
});
