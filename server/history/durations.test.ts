import { expect, it } from 'vitest';
import { percentile } from '../bench/figures';
import { type DurationQuestion, durationsOf } from './durations';
import type { Stay } from './stays/stay';
import { saveStays } from './stays/store';
import { onBothDatabases } from './testing';

const begun = 1_800_000_000_000;
const question: DurationQuestion = { namespaces: undefined, from: begun, to: begun + 10_000_000, by: 'none' };

let count = 0;
function stay(ms: number | undefined, over: Partial<Stay> = {}): Stay {
  count += 1;
  const from = ms === undefined ? undefined : begun + count * 10;
  return {
    uid: `u-${count}`,
    seen: begun + count * 10,
    ns: 'lab',
    state: 'Resuming',
    stage: undefined,
    gate: undefined,
    pool: 'web',
    node: 'node-1',
    revision: 'r1',
    podUid: undefined,
    cause: undefined,
    from,
    fromSource: from === undefined ? 'unknown' : 'observed',
    stateFrom: from,
    stageFrom: over.stage === undefined ? undefined : from,
    end: { at: begun + count * 10 + (ms ?? 5), torn: false, state: true, stage: true },
    ...over,
  };
}

onBothDatabases((database) => {
  async function stored(stays: Stay[]) {
    const history = database.open();
    await history.use((db) => saveStays(db, new Map(), stays));
    return (over: Partial<DurationQuestion> = {}) => durationsOf(history, { ...question, ...over });
  }

  it('are the percentiles of all values, by nearest rank', async () => {
    let seed = 7;
    const values = Array.from({ length: 997 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 90_000;
    });
    const ask = await stored(values.map((ms) => stay(ms)));
    const at = (share: number) => percentile(values, share);
    expect(await ask()).toEqual([
      {
        state: 'Resuming',
        count: 997,
        unknown: 0,
        min: Math.min(...values),
        p25: at(0.25),
        p50: at(0.5),
        p75: at(0.75),
        p95: at(0.95),
        p99: at(0.99),
        max: Math.max(...values),
      },
    ]);
  });

  it('are counted for a state, each of its stages, and each gate', async () => {
    const upgrading = { state: 'Upgrading', stage: 'UpgradePod', gate: 'PodExists' };
    const goesOn = { at: begun + 900_000, torn: false, state: false, stage: false };
    const ask = await stored([
      stay(undefined, {
        ...upgrading,
        from: begun + 890_000,
        fromSource: 'observed',
        stateFrom: begun,
        stageFrom: begun + 800_000,
        end: goesOn,
      }),
      stay(undefined, {
        ...upgrading,
        gate: 'PodRunning',
        from: begun + 900_000,
        fromSource: 'observed',
        stateFrom: begun,
        stageFrom: begun + 800_000,
        end: { ...goesOn, at: begun + 950_000, state: true, stage: true },
      }),
      stay(70),
    ]);
    const p50s = (await ask()).map(({ state, stage, gate, p50 }) => [state, stage, gate, p50]);
    expect(p50s).toEqual([
      ['Resuming', undefined, undefined, 70],
      ['Upgrading', undefined, undefined, 950_000],
      ['Upgrading', 'UpgradePod', undefined, 150_000],
      ['Upgrading', 'UpgradePod', 'PodExists', 10_000],
      ['Upgrading', 'UpgradePod', 'PodRunning', 50_000],
    ]);
  });

  it('leave out, and count, stays whose start or end nobody saw; those that are not over are no stays yet', async () => {
    const ask = await stored([
      stay(undefined),
      stay(50, { end: { at: begun + 1_000, torn: true, state: true, stage: true } }),
      stay(60),
      { ...stay(70), end: undefined } as unknown as Stay,
    ]);
    expect(await ask()).toMatchObject([{ state: 'Resuming', count: 1, unknown: 2, p50: 60 }]);
  });

  it('are of the pool, node, revision, namespaces and time that were asked for, and grouped by one of them', async () => {
    const ask = await stored([
      stay(1, { pool: 'web', node: 'n1', revision: 'r1' }),
      stay(2, { pool: 'api', node: 'n1', revision: 'r2' }),
      stay(3, { pool: 'web', node: 'n2', revision: 'r2', ns: 'other' }),
      stay(4, {
        pool: undefined,
        node: 'n2',
        revision: 'r1',
        end: { at: begun + 20_000_000, torn: false, state: true, stage: true },
      }),
    ]);
    const values = async (over: Partial<DurationQuestion>) => (await ask(over)).map(({ group, max }) => [group, max]);
    expect(await values({ pool: { ns: 'lab', name: 'web' } })).toEqual([[undefined, 1]]);
    expect(await values({ node: 'n1' })).toEqual([[undefined, 2]]);
    expect(await values({ revision: 'r2' })).toEqual([[undefined, 3]]);
    expect(await values({ namespaces: ['lab'] })).toEqual([[undefined, 2]]);
    expect(await values({ namespaces: [] })).toEqual([]);
    expect(await values({ by: 'node' })).toEqual([
      ['n1', 2],
      ['n2', 3],
    ]);
    // Two namespaces have a pool of one name.
    expect(await values({ by: 'pool' })).toEqual([
      ['lab/api', 2],
      ['lab/web', 1],
      ['other/web', 3],
    ]);
    expect((await values({ by: 'pool', to: begun + 30_000_000 })).map(([group]) => group)).toContain('');
    expect(await values({ from: begun + 15_000_000, to: begun + 30_000_000 })).toHaveLength(1);
  });
});
