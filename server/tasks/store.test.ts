import { expect, it } from 'vitest';
import { onBothDatabases } from '../history/testing';
import { freshSteps, type TaskRecord } from './record';
import { TaskStore } from './store';

const recordOf = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id,
  person: 'mara',
  version: 1,
  state: 'running',
  pool: { ns: 'default', name: 'python' },
  title: 'print(1)',
  createdAt: 1_000,
  request: {
    code: 'print(1)',
    files: [],
    env: ['TOKEN'],
    timeLimitSeconds: 60,
    afterwards: { do: 'release' },
    onNoStock: 'create',
  },
  steps: freshSteps(),
  results: [],
  notes: [],
  output: { chunks: 0, outBytes: 0, errBytes: 0 },
  ...more,
});
const inputs = { files: [], env: { TOKEN: 'not to be kept' } };
const ended = { state: 'succeeded', exitCode: 0, endedAt: 2_000 } as const;

onBothDatabases((database) => {
  it('takes over what nobody runs, and what it could not take up before', async () => {
    const store = new TaskStore(database.open());
    await store.beat('me');
    await store.beat('alive');
    await store.add(recordOf('task-mine'), inputs, 'me');
    await store.add(recordOf('task-alive'), inputs, 'alive');
    await store.add(recordOf('task-dead'), inputs, 'gone');
    await store.add(recordOf('task-left'), inputs, 'left');
    await store.add(recordOf('task-over', ended), inputs, 'gone');
    await store.forgetRunner('left');
    const taken = (await store.takeOver('me')).map(({ id }) => id);
    expect(taken.sort()).toEqual(['task-dead', 'task-left', 'task-mine']);
    expect((await store.takeOver('alive')).map(({ id }) => id)).toEqual(['task-alive']);
  });

  it('a process whose task was taken over writes it no more, and is told so', async () => {
    const store = new TaskStore(database.open());
    await store.beat('second');
    await store.add(recordOf('task-1'), inputs, 'first');
    expect(await store.save(recordOf('task-1', { version: 2 }), 'first')).toBe(true);
    await store.takeOver('second');
    expect(await store.save(recordOf('task-1', { version: 3 }), 'first')).toBe(false);
    expect(await store.save(recordOf('task-1', { version: 4, ...ended }), 'second')).toBe(true);
    // It has ended there: it does not begin again.
    expect(await store.save(recordOf('task-1', { version: 5 }), 'first')).toBe(false);
    expect(await store.find('task-1')).toMatchObject({ version: 4, state: 'succeeded' });
    expect(await store.isActive('task-1')).toBe(false);
  });

  it('forgets values of variables with the end, and still takes what is heard of the sandbox afterwards', async () => {
    const store = new TaskStore(database.open());
    await store.add(recordOf('task-1'), inputs, 'me');
    expect(await store.inputs('task-1')).toEqual(inputs);
    await store.save(recordOf('task-1', ended), 'me');
    expect(await store.inputs('task-1')).toEqual({ files: [], env: {} });
    expect(await store.save(recordOf('task-1', { ...ended, version: 9 }), 'me')).toBe(true);
    expect((await store.find('task-1'))?.version).toBe(9);
  });
});
