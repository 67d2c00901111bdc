import { describe, expect, it } from 'vitest';
import { tasksQuery } from '@/lib/contracts/tasks';
import { onBothDatabases } from '../history/testing';
import type { TaskRecord } from './record';
import { taskRecordOf } from './record.testing';
import { TaskStore } from './store';

const codeOf = (code: string): Partial<TaskRecord> => ({
  title: code,
  request: { ...taskRecordOf('any').request, code },
});

onBothDatabases((database) => {
  async function storeOf(...records: TaskRecord[]) {
    const store = new TaskStore(database.open());
    for (const record of records) await store.add(record, { files: [], env: {} }, 'me');
    const list = async (query: object) => store.list('mara', tasksQuery.parse(query));
    return { store, list, found: async (q: string) => (await list({ q })).tasks.map(({ id }) => id) };
  }

  describe('what is looked for in words', () => {
    it('is what a person sees of a task, in letters of any size and script', async () => {
      const { store, found } = await storeOf(
        taskRecordOf('task-1', codeOf("print('GRÜSSE, 世界')\nsecond = 'Ωmega'")),
        taskRecordOf('task-2', { pool: { ns: 'lab', name: 'Ärzte' } }),
        taskRecordOf('task-3', codeOf("print('100%\0\ud800')")),
      );
      await store.save(
        taskRecordOf('task-2', {
          pool: { ns: 'lab', name: 'Ärzte' },
          sandbox: { id: 'lab--python-x7k', ns: 'lab', name: 'python-x7k', origin: 'warm' },
        }),
        'me',
      );
      expect(await found('grüsse, 世')).toEqual(['task-1']);
      expect(await found('ωMEGA')).toEqual(['task-1']);
      expect(await found('LAB/ä')).toEqual(['task-2']);
      expect(await found('python-X7K')).toEqual(['task-2']);
      expect(await found('0%')).toEqual(['task-3']);
      expect(await found('_')).toEqual([]);
    });

    it('is not how a task is stored, nor what another person runs', async () => {
      const { found } = await storeOf(
        taskRecordOf('task-1'),
        taskRecordOf('task-2', { person: 'noor', ...codeOf('print("theirs")') }),
      );
      for (const q of ['timeLimitSeconds', 'release', '"', 'mara', 'theirs']) expect(await found(q)).toEqual([]);
    });
  });

  it('no page waits for a search', async () => {
    const history = database.open();
    const store = new TaskStore(history);
    // What is under way on one lane until it is told to end.
    const busy = async (lane: 'search' | 'read') => {
      let begun = () => {};
      let end = () => {};
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const ended = history[lane](() => {
        begun();
        return new Promise<void>((resolve) => (end = resolve));
      });
      await hasBegun;
      return () => {
        end();
        return ended;
      };
    };
    const endSearch = await busy('search');
    expect(await store.list('mara', { limit: 1 })).toEqual({ tasks: [] });
    await endSearch();
    const endRead = await busy('read');
    expect(await store.list('mara', { q: 'print', limit: 1 })).toEqual({ tasks: [] });
    await endRead();
  });

  it('page after page, each task comes once, also those of one moment and behind one that cannot be read', async () => {
    const ids = Array.from({ length: 7 }, (_, n) => `task-${n}`);
    const { list } = await storeOf(
      ...ids.map((id) => taskRecordOf(id, { createdAt: id === 'task-0' ? 500 : 1_000 })),
      // Of another version.
      taskRecordOf('task-8', { state: 'paused' as never }),
    );
    const pages: string[][] = [];
    let before: string | undefined;
    do {
      const { tasks, next } = await list({ limit: 2, ...(before === undefined ? {} : { before }) });
      pages.push(tasks.map(({ id }) => id));
      before = next;
    } while (before !== undefined && pages.length < 9);
    expect(pages).toEqual([['task-6'], ['task-5', 'task-4'], ['task-3', 'task-2'], ['task-1', 'task-0']]);
  });
});
