import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type { KindFreshness } from '@/lib/contracts/stream';
import { type History, makeHistory } from '../history/database';
import { loadGuards } from '../history/guards';
import type { RowChange } from '../kube/table';
import { type GuardActions, type GuardSource, Guards } from './guards';

const mara = { subject: 'mara', groups: ['ops'], impersonate: true };
const target = { uid: 'u', namespace: 'demo', name: 'up' };

let dir: string;
let history: History;
let world: ReturnType<typeof makeWorld>;
let guards: Guards;
let pauses: Parameters<GuardActions['pause']>[];
let answer: Awaited<ReturnType<GuardActions['pause']>> | ReturnType<GuardActions['pause']>;
let mark: Awaited<ReturnType<GuardActions['markOf']>>;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'guards-'));
  history = makeHistory(dir);
  world = makeWorld();
  pauses = [];
  answer = 'paused';
  mark = undefined;
});
afterEach(async () => {
  guards.stop();
  vi.useRealTimers();
  await history.close();
  rmSync(dir, { recursive: true });
});

/** Operations as the watch shows them. */
function makeWorld() {
  const rows = new Map<string, UpgradeRow>();
  const changes = new Set<(change: RowChange) => void>();
  const states = new Set<() => void>();
  const freshness: KindFreshness = { kind: 'sandboxupdateops', state: 'syncing' };
  const tell = (uid: string) => {
    for (const listener of changes) listener({ kind: 'sandboxupdateops', uid, namespace: 'demo' });
  };
  const become = (state: KindFreshness['state']) => {
    freshness.state = state;
    for (const listener of states) listener();
  };
  const source: GuardSource = {
    onChange: (listener) => {
      changes.add(listener);
      return () => changes.delete(listener);
    },
    onState: (listener) => {
      states.add(listener);
      return () => states.delete(listener);
    },
    // Only operations are asked for here.
    row: (kind, uid) => (kind === 'sandboxupdateops' ? (rows.get(uid) as never) : undefined),
    rows: () => rows.values(),
    freshness: () => ({ kinds: [freshness], cluster: { name: 'c', server: 's', embedded: false, missing: [] } }),
  };
  return {
    source,
    set(over: Partial<UpgradeRow>) {
      const row: UpgradeRow = {
        uid: 'u',
        ns: 'demo',
        name: 'up',
        phase: 'Updating',
        strategy: 'Recreate',
        selector: 'a=b',
        hasPatch: true,
        taken: true,
        total: 10,
        ...over,
      };
      rows.set(row.uid, row);
      tell(row.uid);
    },
    delete(uid: string) {
      rows.delete(uid);
      tell(uid);
    },
    live: () => become('live'),
    /** Nothing is known of the kind any more: its rows go as deleted ones do. */
    lose() {
      become('degraded');
      for (const uid of [...rows.keys()]) {
        rows.delete(uid);
        tell(uid);
      }
      become('forbidden');
    },
  };
}

async function start(now?: () => number): Promise<void> {
  guards = new Guards(
    world.source,
    history,
    {
      pause: async (...asked) => {
        pauses.push(asked);
        return answer;
      },
      markOf: async () => mark,
    },
    now,
  );
  await guards.recall();
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, 5_000);
const stored = () => loadGuards(history);

describe('a guard', () => {
  it('pauses once when its limit is reached, as the person who set it', async () => {
    await start();
    world.set({ failed: 1 });
    await guards.set(target, { failures: 2 }, mara);
    expect(pauses).toEqual([]);
    world.set({ failed: 2, updated: 1 });
    await until(() => expect(guards.of('u')).toMatchObject({ state: 'fired', setBy: 'mara' }));
    expect(pauses).toMatchObject([[{ principal: mara }, { uid: 'u' }, { limit: 'failures', failed: 2, ended: 3 }]]);
    // Somebody continued it all the same: that is their decision.
    world.set({ failed: 3 });
    world.set({ failed: 4, paused: undefined });
    await until(async () => expect(await stored()).toMatchObject([{ state: 'fired' }]));
    expect(pauses).toHaveLength(1);
  });

  it('that is set too late acts at once', async () => {
    await start();
    world.set({ failed: 3 });
    await guards.set(target, { failures: 2 }, mara);
    await until(() => expect(guards.of('u')?.state).toBe('fired'));
  });

  it('has nothing to do where it is paused already', async () => {
    await start();
    world.set({ failed: 2, paused: true });
    await guards.set(target, { failures: 2 }, mara);
    await until(() => expect(guards.of('u')?.state).toBe('fired'));
    expect(pauses).toEqual([]);
  });

  it('says why it cannot, and tries again with longer and longer waits', async () => {
    vi.useFakeTimers();
    answer = { problem: 'cannot patch resource "sandboxupdateops"' };
    await start();
    world.set({});
    await guards.set(target, { failures: 1 }, mara);
    world.set({ failed: 1 });
    // The database knows no faked time: an attempt reads it first and writes it last, and what comes after it has its turn then.
    const attempted = async () => {
      await vi.advanceTimersByTimeAsync(0);
      for (let turn = 0; turn < 3; turn++) await stored();
    };
    await attempted();
    expect(guards.of('u')).toMatchObject({ state: 'failed', problem: answer.problem, firedAt: expect.any(Number) });
    // Not sooner for every change that comes meanwhile.
    world.set({ failed: 2 });
    expect(pauses).toHaveLength(1);
    for (const [seconds, attempts] of [
      [1, 2],
      [2, 3],
      [4, 4],
    ]) {
      await vi.advanceTimersByTimeAsync((seconds ?? 0) * 1_000 - 10);
      expect(pauses).toHaveLength((attempts ?? 0) - 1);
      await vi.advanceTimersByTimeAsync(10);
      await attempted();
      expect(pauses).toHaveLength(attempts ?? 0);
    }
    answer = 'paused';
    await vi.advanceTimersByTimeAsync(8_000);
    await attempted();
    expect(guards.of('u')).toMatchObject({ state: 'fired' });
    expect(guards.of('u')).not.toHaveProperty('problem');
    await vi.advanceTimersByTimeAsync(600_000);
    expect(pauses).toHaveLength(5);
  });

  it('survives a restart of the console, and acts on the first list', async () => {
    await start();
    world.set({});
    await guards.set(target, { ratePercent: 20 }, mara);
    guards.stop();
    await history.close();
    world = makeWorld();
    await start();
    expect(guards.of('u')).toMatchObject({ state: 'armed', limits: { ratePercent: 20 } });
    world.set({ failed: 1, updated: 3 });
    world.live();
    expect(pauses).toEqual([]);
    world.set({ failed: 1, updated: 4 });
    await until(() => expect(pauses).toHaveLength(1));
    guards.stop();
    world = makeWorld();
    await start();
    world.set({ failed: 3, updated: 4 });
    expect(guards.of('u')?.state).toBe('fired');
    expect(pauses).toHaveLength(1);
  });

  it('is kept while the console may not see operations, and acts when it does again', async () => {
    await start();
    world.live();
    world.set({});
    await guards.set(target, { failures: 2 }, mara);
    world.lose();
    await guards.set({ ...target, uid: 'other' }, null, mara);
    expect(await stored()).toMatchObject([{ opUid: 'u' }]);
    world.set({ failed: 2 });
    world.live();
    await until(() => expect(pauses).toHaveLength(1));
  });

  it('ends with the operation: when it is over, deleted, or was gone at the start', async () => {
    await start();
    world.live();
    world.set({});
    world.set({ uid: 'v', name: 'next' });
    await guards.set(target, { failures: 2 }, mara);
    await guards.set({ ...target, uid: 'v', name: 'next' }, { failures: 2 }, mara);
    world.set({ phase: 'Failed', failed: 3 });
    world.delete('v');
    await until(async () => expect(await stored()).toEqual([]));
    expect(pauses).toEqual([]);

    world.set({ uid: 'w' });
    await guards.set({ ...target, uid: 'w' }, { failures: 2 }, mara);
    guards.stop();
    world = makeWorld();
    await start(() => Date.now() + 3_600_000);
    expect(await stored()).toHaveLength(1);
    world.live();
    await until(async () => expect(await stored()).toEqual([]));
  });

  it('ends with an operation that is deleted while it acts', async () => {
    let release = () => {};
    answer = new Promise((resolve) => {
      release = () => resolve({ problem: 'late' });
    });
    await start();
    world.live();
    world.set({ failed: 1 });
    await guards.set(target, { failures: 1 }, mara);
    await until(() => expect(pauses).toHaveLength(1));
    world.delete('u');
    release();
    await until(async () => expect(await stored()).toEqual([]));
    expect(guards.of('u')).toBeNull();
  });

  it('waits for its operation, and takes no other of the name', async () => {
    await start();
    const id = await guards.prepare({ namespace: 'demo', opName: 'up' }, { failures: 1 }, mara);
    mark = { uid: 'other', guard: 'g-else' };
    world.set({ uid: 'other', failed: 5 });
    await until(() => expect(guards.of('other')).toBeNull());
    guards.stop();
    await start();
    mark = { uid: 'u', guard: id };
    world.set({ uid: 'u', failed: 1 });
    await until(() => expect(guards.of('u')).toMatchObject({ state: 'fired' }));
    expect(pauses.map(([, op]) => op.uid)).toEqual(['u']);
  });

  it('is one, however many set it at the same time', async () => {
    await start();
    world.set({});
    await Promise.all([
      guards.set(target, { failures: 1 }, mara),
      guards.set(target, { failures: 5 }, { ...mara, subject: 'noor' }),
    ]);
    expect(await stored()).toMatchObject([{ limits: guards.of('u')?.limits }]);
    await guards.set(target, null, mara);
    expect(guards.of('u')).toBeNull();
    expect(await stored()).toEqual([]);
  });

  it('follows the database: what another console sets, changes or takes away counts here too', async () => {
    await start();
    world.set({});
    const here = guards;
    await start();
    const there = guards;
    try {
      await there.set(target, { failures: 5 }, mara);
      await until(() => expect(here.of('u')).toMatchObject({ limits: { failures: 5 } }));
      await here.set(target, { failures: 3 }, mara);
      await there.set(target, null, mara);
      // Before the other one has read it again.
      world.set({ failed: 4 });
      await until(() => expect(here.of('u')).toBeNull());
      expect(await stored()).toEqual([]);
      expect(pauses).toEqual([]);
    } finally {
      here.stop();
    }
  });

  it('acts on one console only, and on another one when that has ended meanwhile', async () => {
    let clock = Date.now();
    let release = () => {};
    answer = new Promise((resolve) => {
      release = () => resolve('paused');
    });
    await start(() => clock);
    const here = guards;
    await start(() => clock);
    const there = guards;
    try {
      world.set({});
      world.set({ uid: 'v', name: 'next' });
      await there.set(target, { failures: 1 }, mara);
      await until(() => expect(here.of('u')).not.toBeNull());
      world.set({ failed: 1 });
      await until(() => expect(pauses).toHaveLength(1));
      release();
      await until(() => expect([here.of('u')?.state, there.of('u')?.state]).toEqual(['fired', 'fired']));
      expect(pauses).toHaveLength(1);

      answer = new Promise(() => undefined);
      await here.set({ ...target, uid: 'v', name: 'next' }, { failures: 1 }, mara);
      world.set({ uid: 'v', name: 'next', failed: 1 });
      await until(() => expect(pauses).toHaveLength(2));
      here.stop();
      await until(() => expect(there.of('v')).not.toBeNull());
      answer = 'paused';
      clock += 60_000;
      await until(() => expect(there.of('v')?.state).toBe('fired'));
      expect(pauses).toHaveLength(3);
    } finally {
      here.stop();
    }
  });

  it('gives way to one that was set on the operation before it was bound to it', async () => {
    await start();
    world.set({});
    const id = await guards.prepare({ namespace: 'demo', opName: 'up' }, { failures: 1 }, mara);
    await guards.set(target, { failures: 5 }, mara);
    await guards.bind(id, 'u');
    expect(await stored()).toMatchObject([{ limits: { failures: 5 } }]);
  });

  it.each([
    ['a minute after another operation has taken its name', 2 * 60_000, { uid: 'other' }],
    ['a day after nothing came', 25 * 3_600_000, undefined],
  ])('ends %s', async (_when, later, found) => {
    let clock = 0;
    await start(() => clock);
    await guards.prepare({ namespace: 'demo', opName: 'up' }, { failures: 1 }, mara);
    mark = found;
    world.set({ uid: 'other' });
    world.live();
    expect(await stored()).toHaveLength(1);
    clock = later;
    world.set({ uid: 'other' });
    world.live();
    await until(async () => expect(await stored()).toEqual([]));
  });

  it('of another version that nobody can read does no harm to the others', async () => {
    await start();
    world.set({});
    await guards.set(target, { failures: 5 }, mara);
    await guards.prepare({ namespace: 'demo', opName: 'odd' }, { failures: 1 }, mara);
    await history.use((db) => db.updateTable('guard').set({ limits: '{}' }).where('op_name', '=', 'odd').execute());
    guards.stop();
    await start();
    expect(guards.of('u')).toMatchObject({ limits: { failures: 5 } });
  });

  it('is bound by the answer to the create, before the watch shows anything', async () => {
    await start();
    world.live();
    const id = await guards.prepare({ namespace: 'demo', opName: 'up' }, { failures: 1 }, mara);
    await guards.bind(id, 'u');
    world.live();
    expect(guards.of('u')).toMatchObject({ state: 'armed' });
    world.set({ failed: 1 });
    await until(() => expect(guards.of('u')).toMatchObject({ state: 'fired' }));
  });

  it('acts while the database is away, and is stored when it is back', async () => {
    vi.useFakeTimers();
    await start();
    world.set({});
    await guards.set(target, { failures: 1 }, mara);
    const { use } = history;
    history.use = () => Promise.reject(Object.assign(new Error('locked'), { name: 'HistoryUnavailable' }));
    world.set({ failed: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(guards.of('u')?.state).toBe('fired');
    history.use = use;
    expect(await stored()).toMatchObject([{ state: 'armed' }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await stored()).toMatchObject([{ state: 'fired' }]);
  });
});
