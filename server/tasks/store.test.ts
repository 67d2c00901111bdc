import { expect, it } from 'vitest';
import { onBothDatabases } from '../history/testing';
import { taskRecordOf } from './record.testing';
import { TaskStore } from './store';

const inputs = { files: [], env: { TOKEN: 'not to be kept' } };
const ended = { state: 'succeeded', exitCode: 0, endedAt: 2_000 } as const;

onBothDatabases((database) => {
  it('takes over what nobody runs, and what it could not take up before', async () => {
    const store = new TaskStore(database.open());
    await store.runners.beat('me');
    await store.runners.beat('alive');
    await store.add(taskRecordOf('task-mine'), inputs, 'me');
    await store.add(taskRecordOf('task-alive'), inputs, 'alive');
    await store.add(taskRecordOf('task-dead'), inputs, 'gone');
    await store.add(taskRecordOf('task-left'), inputs, 'left');
    await store.add(taskRecordOf('task-over', ended), inputs, 'gone');
    await store.runners.forget('left');
    const taken = (await store.runners.takeOver('me')).map(({ id }) => id);
    expect(taken.sort()).toEqual(['task-dead', 'task-left', 'task-mine']);
    expect((await store.runners.takeOver('alive')).map(({ id }) => id)).toEqual(['task-alive']);
  });

  it('a process whose task was taken over writes it no more, and is told so', async () => {
    const store = new TaskStore(database.open());
    await store.runners.beat('second');
    await store.add(taskRecordOf('task-1'), inputs, 'first');
    expect(await store.save(taskRecordOf('task-1', { version: 2 }), 'first')).toBe(true);
    await store.runners.takeOver('second');
    expect(await store.save(taskRecordOf('task-1', { version: 3 }), 'first')).toBe(false);
    expect(await store.save(taskRecordOf('task-1', { version: 4, ...ended }), 'second')).toBe(true);
    // It has ended there: it does not begin again.
    expect(await store.save(taskRecordOf('task-1', { version: 5 }), 'first')).toBe(false);
    expect(await store.find('task-1')).toMatchObject({ version: 4, state: 'succeeded' });
    expect(await store.isActive('task-1')).toBe(false);
  });

  it('forgets values of variables with the end, and still takes what is heard of the sandbox afterwards', async () => {
    const store = new TaskStore(database.open());
    await store.add(taskRecordOf('task-1'), inputs, 'me');
    expect(await store.contents.inputs('task-1')).toEqual(inputs);
    await store.save(taskRecordOf('task-1', ended), 'me');
    expect(await store.contents.inputs('task-1')).toEqual({ files: [], env: {} });
    expect(await store.save(taskRecordOf('task-1', { ...ended, version: 9 }), 'me')).toBe(true);
    expect((await store.find('task-1'))?.version).toBe(9);
  });
});
