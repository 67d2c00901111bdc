import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { type History, HistoryUnavailable } from './database';
import { keepSampling, makePhaseHistory } from './phases';
import { onBothDatabases } from './testing';

const row = (over: Partial<SandboxRow>): SandboxRow => ({
  uid: 'u',
  ns: 'a',
  name: 'x',
  phase: 'Running',
  state: 'Running',
  sinceFrom: 'condition',
  since: 0,
  ...over,
});

const away = () => Promise.reject(new HistoryUnavailable('it is away'));
const noDatabase: History = {
  use: away,
  read: away,
  search: away,
  state: () => ({ state: 'off' }),
  close: async () => undefined,
};
const all = () => true;

function world(rows: SandboxRow[]) {
  const state = { now: 1_000_020_000, state: 'live' as 'live' | 'degraded', rows, records: true };
  const cluster = { name: 'c', server: 's', embedded: true, missing: [] };
  const source = {
    rows: () => state.rows,
    freshness: () => ({ cluster, kinds: [{ kind: 'sandboxes', state: state.state }] }),
  };
  const start = (history: History) =>
    makePhaseHistory(source, {
      history,
      records: () => state.records,
      limits: () => standardLimits,
      now: () => state.now,
    });
  return { state, start };
}

describe('in memory', () => {
  it('counts per state and overdue, of the namespaces that may be seen, without reserved sandboxes', async () => {
    const { state, start } = world([]);
    state.rows = [
      row({}),
      row({ state: 'Resuming', since: state.now - 10_000 }),
      row({ state: 'Resuming', since: state.now - 45_000, pool: 'web' }),
      row({ ns: 'b', pool: 'web' }),
      row({ reserved: true, state: 'Failed' }),
    ];
    const phases = start(noDatabase);
    phases.sample();
    expect(await phases.read({ minutes: 60, maySee: all })).toEqual({
      since: state.now,
      stepSeconds: 15,
      samples: [{ at: state.now, counts: { Running: 2, Resuming: 2 }, overdue: { Resuming: 1 } }],
    });
    const counts = async (question: Partial<Parameters<typeof phases.read>[0]>) =>
      (await phases.read({ minutes: 60, maySee: all, ...question })).samples[0]?.counts;
    expect(await counts({ maySee: (ns) => ns === 'b' })).toEqual({ Running: 1 });
    expect(await counts({ pool: { ns: 'a', name: 'web' } })).toEqual({ Resuming: 1 });
    expect(await counts({ pool: { ns: 'b', name: 'web' }, maySee: (ns) => ns === 'a' })).toEqual({});
  });

  it('keeps an hour, answers fewer minutes, and records nothing while the watch is down', async () => {
    const { state, start } = world([row({})]);
    const phases = start(noDatabase);
    const samples = async (minutes: number) => (await phases.read({ minutes, maySee: all })).samples;
    for (let i = 0; i < 300; i++) {
      phases.sample();
      state.now += 15_000;
    }
    expect(await samples(60)).toHaveLength(240);
    expect(await samples(24 * 60)).toHaveLength(240);
    expect(await samples(5)).toHaveLength(20);
    state.state = 'degraded';
    state.now += 10 * 60_000;
    phases.sample();
    expect(await samples(5)).toHaveLength(0);
  });
});

onBothDatabases((database) => {
  const sampled = async (
    phases: ReturnType<ReturnType<typeof world>['start']>,
    w: ReturnType<typeof world>,
    minutes: number,
    history: History,
  ) => {
    for (let i = 0; i < minutes * 4; i++) {
      phases.sample();
      await history.use(async () => undefined);
      w.state.now += 15_000;
    }
  };

  it('keeps a day, a sample a minute, over a restart, and shows the time between as a gap', async () => {
    const w = world([row({ pool: 'web' }), row({ ns: 'b', state: 'Failed' })]);
    const history = database.open();
    const began = w.state.now;
    await sampled(w.start(history), w, 10, history);
    w.state.now += 20 * 60_000;
    const again = w.start(history);
    const restarted = w.state.now;
    await sampled(again, w, 2, history);
    const answer = await again.read({ minutes: 60, maySee: all });
    expect(answer).toMatchObject({ since: began, stepSeconds: 60 });
    const before = answer.samples.filter(({ at }) => at < restarted);
    expect(before).toHaveLength(10);
    expect(before[0]).toEqual({ at: began, counts: { Running: 1, Failed: 1 }, overdue: {} });
    expect(answer.samples.map(({ at }) => at).slice(10)).toEqual([restarted, restarted + 60_000]);
    const ofPool = await again.read({ minutes: 24 * 60, maySee: all, pool: { ns: 'a', name: 'web' } });
    expect(ofPool.stepSeconds).toBe(300);
    expect(ofPool.samples.every(({ counts }) => counts.Running === 1 && counts.Failed === undefined)).toBe(true);
    expect(ofPool.samples.length).toBeGreaterThan(2);
    const ofOthers = await again.read({ minutes: 60, maySee: (ns) => ns === 'b' });
    expect(ofOthers.samples[0]?.counts).toEqual({ Failed: 1 });
  });

  const storedAt = async (history: History) => {
    const rows = await history.read((db) => db.selectFrom('phase_sample').select('at').orderBy('at').execute());
    return rows.map(({ at }) => at);
  };
  const tick = async (phases: ReturnType<ReturnType<typeof world>['start']>, history: History) => {
    phases.sample();
    await history.use(async () => undefined);
  };

  it('has a sample of every minute, whenever in it the first one was counted, by the time it was', async () => {
    const w = world([row({})]);
    const history = database.open();
    const phases = w.start(history);
    const began = w.state.now;
    for (const offset of [47_000, 55_000, 60_000 + 31_000, 60_000 + 46_000, 120_000 + 16_000, 299_000]) {
      w.state.now = began + offset;
      await tick(phases, history);
    }
    const expected = [47_000, 91_000, 136_000, 299_000].map((offset) => began + offset);
    expect(await storedAt(history)).toEqual(expected);
    w.state.now = began + 20 * 60_000;
    const answer = await w.start(history).read({ minutes: 60, maySee: all });
    expect(answer.samples.map(({ at }) => at)).toEqual(expected);
    const thin = await w.start(history).read({ minutes: 24 * 60, maySee: all });
    expect(thin.samples.map(({ at }) => at)).toEqual([began + 47_000, began + 299_000]);
  });

  it('is stored later when the database was away, or another process recorded that has ended; once a minute', async () => {
    const w = world([row({})]);
    const history = database.open();
    const began = w.state.now;
    let away = false;
    const use: History['use'] = (work) => (away ? Promise.reject(new HistoryUnavailable('away')) : history.use(work));
    const first = w.start({ ...history, use });
    const second = world([row({})]);
    second.state.records = false;
    const waiting = second.start(history);
    for (let minute = 0; minute < 6; minute++) {
      w.state.now = began + minute * 60_000;
      second.state.now = w.state.now + 7_000;
      away = minute === 2 || minute === 3;
      // The first process ends after its fifth minute.
      if (minute < 5) await tick(first, history);
      second.state.records = minute === 5;
      await tick(waiting, history);
    }
    const own = [0, 1, 2, 3, 4].map((minute) => began + minute * 60_000);
    expect(await storedAt(history)).toEqual([...own, began + 5 * 60_000 + 7_000]);
  });

  it('is stored by the one that records, and goes after a day', async () => {
    const w = world([row({})]);
    const history = database.open();
    w.state.records = false;
    await sampled(w.start(history), w, 3, history);
    const count = () => history.read((db) => db.selectFrom('phase_sample').selectAll().execute());
    expect(await count()).toEqual([]);
    w.state.records = true;
    await sampled(w.start(history), w, 3, history);
    expect(await count()).toHaveLength(3);
    w.state.now += 25 * 3_600_000;
    await sampled(w.start(history), w, 1, history);
    expect(await count()).toHaveLength(1);
  });
});

it('counts as soon as sandboxes are live, and then every fifteen seconds', () => {
  vi.useFakeTimers();
  const { state } = world([]);
  const told = new Set<() => void>();
  const sampled = vi.fn();
  const cluster = { name: 'c', server: 's', embedded: true, missing: [] };
  state.state = 'degraded';
  keepSampling(
    { sample: sampled, read: async () => ({ since: 0, stepSeconds: 15, samples: [] }) },
    {
      freshness: () => ({ cluster, kinds: [{ kind: 'sandboxes', state: state.state }] }),
      onState: (listener) => told.add(listener),
    },
  );
  const become = (next: 'live' | 'degraded') => {
    state.state = next;
    for (const listener of told) listener();
  };
  expect(sampled).toHaveBeenCalledTimes(0);
  become('degraded');
  become('live');
  become('live');
  expect(sampled).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(15_000);
  expect(sampled).toHaveBeenCalledTimes(2);
  become('degraded');
  become('live');
  expect(sampled).toHaveBeenCalledTimes(3);
});
afterEach(() => void vi.useRealTimers());
