import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Cluster } from '../../kube/cluster';
import { watched } from '../../kube/kinds';
import { FakeApiServer, fastTiming } from '../../kube/testing/fake-api-server';
import { onBothDatabases } from '../testing';
import { readEarlierStarts } from './earlier-starts';
import { Recorder } from './recorder';
import { stayOf, staysOfSandbox } from './store';

const minute = 60_000;
const first = Date.parse('2026-11-29T10:00:00Z');
const sandboxes = watched.sandboxes.path;
const until = (check: () => void) => vi.waitFor(check, 5_000);

onBothDatabases((database) => {
  let api: FakeApiServer;
  let clock: number;
  let stops: (() => unknown)[];
  beforeEach(async () => {
    clock = first;
    stops = [];
    api = await FakeApiServer.start(...Object.values(watched).map(({ path }) => path));
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await api.stop();
  });

  /** A console process on the database, which has listed. */
  async function console() {
    const now = () => clock;
    const history = database.open(now);
    const timing = { ...fastTiming, silence: 24 * 3_600_000 };
    const cluster = new Cluster(api.config(), timing, now, undefined, await readEarlierStarts(history));
    const recorder = new Recorder(
      cluster,
      history,
      { keepDays: 14, keepRows: 1_000, mostWaiting: 1_000 },
      now,
      () => clock,
    );
    cluster.start();
    const end = () => cluster.stop();
    stops.push(end, () => recorder.abandon());
    await until(() => expect(cluster.freshness().kinds.every(({ state }) => state === 'live')).toBe(true));
    const row = (name: string) => cluster.byName('sandboxes', 'lab', name);
    const stays = async (name: string) =>
      (await history.read((db) => staysOfSandbox(db, 'lab', name, 10))).map(stayOf).map(({ state, end }) => ({
        state,
        ...(end ? { until: end.at, torn: end.torn } : {}),
      }));
    const stop = async () => {
      end();
      await recorder.stop();
    };
    return { row, recorder, stays, stop };
  }
  /** No condition times these states. */
  const put = (name: string, phase: string, labels = {}) =>
    api.set(sandboxes, {
      metadata: { name, namespace: 'lab', uid: name, generation: 1, labels },
      spec: {},
      status: { phase, observedGeneration: 1 },
    });

  it('a state that no condition times lasts since it was first seen before a restart, when its object is the same', async () => {
    put('same', 'Failed');
    put('touched', 'Failed');
    put('back', 'Failed');
    put('other', 'Failed');
    const before = await console();
    expect(before.row('same')).toMatchObject({ state: 'Failed', since: first, sinceFrom: 'observed' });
    clock += minute;
    // It changes while it is watched, and does not leave its state.
    const version = () => before.recorder.waiting('touched')[0]?.observed?.version;
    const listed = version();
    put('touched', 'Failed', { seen: 'yes' });
    await until(() => expect(version()).not.toBe(listed));
    await before.stop();

    clock += minute;
    put('back', 'Running');
    put('back', 'Failed');
    put('other', 'Succeeded');
    clock += 10 * minute;
    const after = await console();
    const now = clock;
    expect(after.row('same')).toMatchObject({ state: 'Failed', since: first, sinceFrom: 'observed' });
    expect(after.row('touched')).toMatchObject({ state: 'Failed', since: first, sinceFrom: 'observed' });
    // It may have left and come back: nothing before is claimed.
    expect(after.row('back')).toMatchObject({ state: 'Failed', since: now, sinceFrom: 'observed' });
    expect(after.row('other')).toMatchObject({ state: 'Succeeded', since: now, sinceFrom: 'observed' });

    await after.recorder.flush();
    expect(await after.stays('same')).toEqual([{ state: 'Failed' }]);
    const torn = { until: first + minute, torn: true };
    expect(await after.stays('back')).toEqual([{ state: 'Failed', ...torn }, { state: 'Failed' }]);
    expect(await after.stays('other')).toEqual([{ state: 'Failed', ...torn }, { state: 'Succeeded' }]);

    clock += minute;
    await after.stop();
    clock += minute;
    expect((await console()).row('same')).toMatchObject({ since: first, sinceFrom: 'observed' });
  });
});
