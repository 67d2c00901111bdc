import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { type History, HistoryUnavailable } from './database';
import { makePhaseHistory } from './phases';
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
const noDatabase: History = { use: away, read: away, state: () => ({ state: 'off' }), close: async () => undefined };
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
      w.state.now += 15_000;
    }
    await history.use(async () => undefined);
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
