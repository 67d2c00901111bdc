import { expect, it } from 'vitest';
import { onBothDatabases } from '../history/testing';
import type { TaskRecord } from './record';
import { taskRecordOf } from './record.testing';
import { TaskStore } from './store';

const bounds = { tasks: 5, bytes: 10_000, ofPerson: { tasks: 3, bytes: 2_000 } };

onBothDatabases((database) => {
  /** Each ended a moment after the one before. */
  async function storeOf(...tasks: (Partial<TaskRecord> & { id: string; bytes?: number })[]) {
    const store = new TaskStore(database.open());
    for (const [n, { bytes = 10, ...more }] of tasks.entries()) {
      const { request } = taskRecordOf('any');
      const record = { ...request, code: 'x'.repeat(bytes) };
      await store.add(
        taskRecordOf(more.id, { state: 'succeeded', createdAt: n, endedAt: 1_000 + n, request: record, ...more }),
        { files: [], env: {} },
        'me',
      );
    }
    const kept = async (person: string) => (await store.list(person, { limit: 100 })).tasks.map(({ id }) => id);
    return { store, kept };
  }
  const many = (person: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `task-${person}-${n}`, person }));

  it('many tasks of one person push out that person’s own only', async () => {
    const { store, kept } = await storeOf({ id: 'task-old', person: 'noor' }, ...many('mara', 6));
    await store.prune(2_000, 60_000, bounds);
    expect(await kept('noor')).toEqual(['task-old']);
    expect(await kept('mara')).toEqual(['task-mara-5', 'task-mara-4', 'task-mara-3']);
  });

  it('so do large ones', async () => {
    const { store, kept } = await storeOf(
      { id: 'task-old', person: 'noor', bytes: 1_900 },
      { id: 'task-a', bytes: 1_500 },
      { id: 'task-b', bytes: 1_500 },
    );
    await store.prune(2_000, 60_000, bounds);
    expect(await kept('noor')).toEqual(['task-old']);
    expect(await kept('mara')).toEqual(['task-b']);
  });

  it('one for which there is no room leaves its room to older ones; the newest stays whatever its size', async () => {
    const { store, kept } = await storeOf(
      { id: 'task-small', bytes: 500 },
      { id: 'task-large', bytes: 1_900 },
      { id: 'task-newest', bytes: 1_000 },
      { id: 'task-huge', person: 'noor', bytes: 5_000 },
    );
    await store.prune(2_000, 60_000, bounds);
    expect(await kept('mara')).toEqual(['task-newest', 'task-small']);
    expect(await kept('noor')).toEqual(['task-huge']);
  });

  it('when it is too much of all together, whoever has the most loses the oldest', async () => {
    const { store, kept } = await storeOf({ id: 'task-old', person: 'noor' }, ...many('mara', 3), ...many('iris', 2));
    await store.prune(2_000, 60_000, { ...bounds, tasks: 4 });
    expect(await kept('noor')).toEqual(['task-old']);
    expect(await kept('mara')).toEqual(['task-mara-2']);
    expect(await kept('iris')).toEqual(['task-iris-1', 'task-iris-0']);
    await store.prune(2_000, 60_000, { ...bounds, bytes: 35 });
    expect(await kept('noor')).toEqual(['task-old']);
    expect(await kept('mara')).toEqual(['task-mara-2']);
    expect(await kept('iris')).toEqual(['task-iris-1']);
  });

  it('what is old goes, but not while its sandbox is kept or it has not ended', async () => {
    const { store, kept } = await storeOf(
      { id: 'task-old' },
      { id: 'task-kept', keptUntil: 90_000 },
      { id: 'task-over', keptUntil: 70_000 },
      { id: 'task-runs', state: 'running', endedAt: undefined as never },
    );
    await store.prune(80_000, 1_000, bounds);
    expect(await kept('mara')).toEqual(['task-runs', 'task-kept']);
  });
});
