import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stageTimes } from '@/lib/domain/upgrades/stage-times';
import { readRecording } from '@/server/testing/play';
import { adoptionsOf, podsOf, recordOf, templatesOf } from '../history/adoptions';
import { type History, makeHistory } from '../history/database';
import { Cluster } from '../kube/cluster';
import { watched } from '../kube/kinds';
import { FakeApiServer, fastTiming } from '../kube/testing/fake-api-server';
import { Journal } from './journal';

const until = (check: () => void | Promise<void>) => vi.waitFor(check, 8_000);
const paths = Object.fromEntries(Object.entries(watched).map(([kind, { path: at }]) => [kind, at]));
const pathOf = (kind: string) => paths[kind] ?? `/unused/${kind}`;

let api: FakeApiServer;
let dir: string;
let history: History;
let cluster: Cluster;
let journal: Journal;
let clock: number;

beforeEach(async () => {
  clock = Date.parse('2026-11-30T10:00:00Z');
  dir = mkdtempSync(path.join(tmpdir(), 'journal-'));
  history = makeHistory(dir);
  api = await FakeApiServer.start(...Object.values(paths));
});
afterEach(async () => {
  await stop();
  await history.close();
  await api.stop();
  rmSync(dir, { recursive: true });
});

async function start(): Promise<void> {
  cluster = new Cluster(api.config(), { ...fastTiming, silence: 24 * 3_600_000 }, () => clock);
  journal = new Journal(cluster, history, () => clock);
  await journal.recall();
  cluster.start();
  await until(() => expect(cluster.freshness().kinds.every(({ state }) => state === 'live')).toBe(true));
  await until(() => expect(api.watches(pathOf('sandboxes'))).toBe(1));
}

async function stop(): Promise<void> {
  journal.stop();
  cluster.stop();
}

/** The sandboxes of an operation as they were stored: images before and after, and nodes of Pods by uid. */
async function storedOf(opUid: string) {
  await journal.flush();
  const rows = await adoptionsOf(history, opUid);
  const texts = await templatesOf(
    history,
    rows.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()),
  );
  const image = (hash: string | null) =>
    hash === null ? undefined : JSON.parse(texts.get(hash) ?? '').spec.containers[0].image;
  return rows.map((row) => ({
    name: row.sandbox_name,
    before: image(row.before),
    after: image(row.after),
    pods: podsOf(row),
  }));
}

/** What the sandboxes of an operation had come to, by name. */
async function recordsOf(opUid: string) {
  await journal.flush();
  const rows = await adoptionsOf(history, opUid);
  return Object.fromEntries(rows.map((row) => [row.sandbox_name, recordOf(row)]));
}

const labels = (op?: string) => (op ? { 'agents.kruise.io/update-ops': op } : {});
const sandbox = (name: string, image: string, generation: number, op?: string, uid = `uid-${name}`) => ({
  metadata: { name, namespace: 'demo', uid, generation, labels: labels(op) },
  spec: { template: { spec: { containers: [{ name: 'main', image, env: [{ name: 'TOKEN', value: 's3cret' }] }] } } },
  status: { phase: 'Running', observedGeneration: generation },
});
const operation = (name: string, uid = `uid-${name}`, phase = 'Updating') => ({
  metadata: { name, namespace: 'demo', uid, generation: 1 },
  spec: { selector: { matchLabels: { a: 'b' } } },
  status: { phase },
});
const pod = (name: string, uid: string, node: string) => ({
  metadata: {
    name,
    namespace: 'demo',
    uid,
    ownerReferences: [
      { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name, uid: `uid-${name}`, controller: true },
    ],
  },
  spec: { nodeName: node, containers: [] },
  status: { phase: 'Running' },
});

describe('recordings of the real controllers', () => {
  it.each([
    ['update-recreate-success', 'sandboxupdateops'],
    ['paused-sandboxes-with-statefilter', 'sandboxupdateops'],
    ['update-deadlock-failures', 'sandboxupdateops'],
  ])('%s: what every adopted sandbox had, and the Pods that were replaced', async (name) => {
    const { events } = readRecording(name);
    await start();
    // Kinds are watched apart; played at once, an operation would be over before its sandboxes are heard of.
    let marks = 0;
    const caughtUp = async () => {
      marks += 1;
      for (const kind of ['sandboxes', 'sandboxupdateops'] as const) {
        api.set(pathOf(kind), { metadata: { name: `mark-${marks}`, namespace: 'mark', uid: `${kind}-${marks}` } });
        await until(() => expect(cluster.byName(kind, 'mark', `mark-${marks}`)).toBeDefined());
      }
    };
    const ops = new Map<string, string>();
    type Seen = { template: string; op?: string; uid: string };
    const sandboxes = new Map<string, Seen>();
    const expected = new Map<string, Map<string, string>>();
    for (const { kind, type, object } of events) {
      const { name: key, uid } = object.metadata;
      const namespace = String(object.metadata.namespace);
      if (kind === 'sandboxupdateops') await caughtUp();
      if (type === 'DELETED') api.delete(pathOf(kind), key, namespace);
      else api.set(pathOf(kind), object);
      if (kind === 'sandboxupdateops') ops.set(key, uid);
      if (kind !== 'sandboxes' || type === 'DELETED') continue;
      const op = (object.metadata as { labels?: Record<string, string> }).labels?.['agents.kruise.io/update-ops'];
      const template = JSON.stringify((object.spec as { template?: unknown }).template);
      const last = sandboxes.get(key);
      if (op && last && last.uid === uid && last.op !== op) {
        const of = expected.get(op) ?? new Map<string, string>();
        of.set(key, last.template);
        expected.set(op, of);
      }
      sandboxes.set(key, { template, uid, ...(op ? { op } : {}) });
    }
    await caughtUp();
    expect(expected.size).toBeGreaterThan(0);
    for (const [op, of] of expected) {
      const uid = ops.get(op) ?? '';
      await until(async () => {
        clock += 2_000;
        await journal.flush();
        const rows = await adoptionsOf(history, uid);
        expect(rows.map((row) => row.sandbox_name)).toEqual([...of.keys()].sort());
      });
      const rows = await adoptionsOf(history, uid);
      const texts = await templatesOf(
        history,
        rows.flatMap(({ before }) => before ?? []),
      );
      for (const row of rows) {
        expect(JSON.parse(texts.get(row.before ?? '') ?? 'null')).toEqual(JSON.parse(of.get(row.sandbox_name) ?? ''));
      }
    }
  });
});

describe('the journal', () => {
  it('knows template and Pod before and after, once more after a restart', async () => {
    api.set(pathOf('pods'), pod('a', 'p1', 'n1'));
    api.set(pathOf('sandboxes'), sandbox('a', 'v1', 1));
    await start();
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await until(() => expect(cluster.byName('sandboxupdateops', 'demo', 'up')).toBeDefined());
    api.set(pathOf('sandboxes'), sandbox('a', 'v2', 2, 'up'));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.op).toBe('up'));
    const adopted = clock;
    clock += 3_000;
    api.delete(pathOf('pods'), 'a', 'demo');
    await until(async () => expect((await storedOf('uid-up'))[0]?.pods.before?.gone).toBe(clock));

    await stop();
    api.set(pathOf('pods'), pod('a', 'p2', 'n2'));
    await start();
    await until(async () =>
      expect(await storedOf('uid-up')).toEqual([
        {
          name: 'a',
          before: 'v1',
          after: 'v2',
          pods: { before: { uid: 'p1', node: 'n1', gone: adopted + 3_000 }, after: { uid: 'p2', node: 'n2' } },
        },
      ]),
    );
    // What others make of the template later is not the operation's doing.
    api.set(pathOf('sandboxes'), sandbox('a', 'v3', 3, 'up'));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.gen).toBe(3));
    expect(await storedOf('uid-up')).toMatchObject([{ before: 'v1', after: 'v2' }]);
  });

  it('knows nothing of what it did not see, and does not make it up', async () => {
    api.set(pathOf('sandboxes'), sandbox('a', 'v2', 2, 'up'));
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await start();
    api.set(pathOf('sandboxes'), sandbox('a', 'v3', 3, 'up'));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.gen).toBe(3));
    expect(await storedOf('uid-up')).toEqual([{ name: 'a', before: undefined, after: undefined, pods: {} }]);
  });

  it('trusts a list only as far as one change of the spec', async () => {
    for (const name of ['once', 'often']) api.set(pathOf('sandboxes'), sandbox(name, 'v1', 1));
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await start();
    await api.crash();
    api.set(pathOf('sandboxes'), sandbox('once', 'v2', 2, 'up'));
    api.set(pathOf('sandboxes'), sandbox('often', 'v2', 4, 'up'));
    api.compactedAt = Number.POSITIVE_INFINITY;
    await api.listen();
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'often')?.op).toBe('up'));
    expect(await storedOf('uid-up')).toMatchObject([
      { name: 'often', before: undefined },
      { name: 'once', before: 'v1', after: 'v2' },
    ]);
  });

  it('sees a template that is changed in a second step, after the label', async () => {
    api.set(pathOf('sandboxes'), sandbox('a', 'v1', 1));
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await start();
    api.set(pathOf('sandboxes'), sandbox('a', 'v1', 2, 'up'));
    await until(async () => expect(await storedOf('uid-up')).toMatchObject([{ before: 'v1', after: 'v1' }]));
    await stop();
    api.set(pathOf('sandboxes'), sandbox('a', 'v2', 3, 'up'));
    await start();
    await until(async () => expect(await storedOf('uid-up')).toMatchObject([{ before: 'v1', after: 'v2' }]));
  });

  it('tells operations of one name apart', async () => {
    api.set(pathOf('sandboxes'), sandbox('a', 'v1', 1));
    api.set(pathOf('sandboxupdateops'), operation('up', 'first'));
    await start();
    api.set(pathOf('sandboxes'), sandbox('a', 'v2', 2, 'up'));
    await until(async () => expect(await storedOf('first')).toHaveLength(1));
    await stop();
    api.delete(pathOf('sandboxupdateops'), 'up', 'demo');
    api.set(pathOf('sandboxupdateops'), operation('up', 'second'));
    api.set(pathOf('sandboxes'), sandbox('a', 'v3', 4, 'up'));
    await start();
    await until(() => expect(cluster.byName('sandboxupdateops', 'demo', 'up')?.uid).toBe('second'));
    api.set(pathOf('sandboxes'), sandbox('a', 'v4', 5, 'up'));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.gen).toBe(5));
    expect(await storedOf('second')).toEqual([{ name: 'a', before: undefined, after: undefined, pods: {} }]);
    expect(await storedOf('first')).toMatchObject([{ before: 'v1', after: 'v2' }]);
    expect(await recordsOf('first')).toMatchObject({ a: { left: { seen: false, why: 'taken', to: 'up' } } });
    expect(await recordsOf('second')).toMatchObject({ a: { row: { op: 'up' } } });
  });

  it.each([
    ['comes late', 60_000, [{ name: 'a', before: 'v1' }]],
    ['never comes', 11 * 60_000, []],
  ])('waits for an operation that %s, but not for ever', async (_when, later, found) => {
    api.set(pathOf('sandboxes'), sandbox('a', 'v1', 1));
    await start();
    api.set(pathOf('sandboxes'), sandbox('a', 'v2', 2, 'up'));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.op).toBe('up'));
    clock += later;
    await journal.flush();
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await until(() => expect(cluster.byName('sandboxupdateops', 'demo', 'up')).toBeDefined());
    expect(await storedOf('uid-up')).toMatchObject(found);
  });

  it('goes on without a database, and stores what it saw when there is one again', async () => {
    const { use } = history;
    history.use = () => Promise.reject(Object.assign(new Error('disk full'), { name: 'HistoryUnavailable' }));
    api.set(pathOf('sandboxes'), sandbox('a', 'v1', 1));
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await start();
    api.set(pathOf('sandboxes'), sandbox('a', 'v2', 2, 'up'));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.op).toBe('up'));
    await expect(journal.flush()).rejects.toThrow('disk full');
    history.use = use;
    expect(await storedOf('uid-up')).toMatchObject([{ before: 'v1', after: 'v2' }]);
  });
});

describe('how far an operation came with a sandbox', () => {
  /** A sandbox that is being upgraded by `op`, or has been (`Succeeded`). */
  const upgrading = (name: string, reason: string, op: string, message = '') => ({
    ...sandbox(name, 'v2', 2, op),
    status: {
      phase: reason === 'Succeeded' ? 'Running' : 'Upgrading',
      observedGeneration: 2,
      conditions: [{ type: 'Upgrading', status: reason === 'Succeeded' ? 'True' : 'False', reason, message }],
    },
  });
  const reach = async (name: string, reason: string, op = 'up', message = '') => {
    api.set(pathOf('sandboxes'), upgrading(name, reason, op, message));
    await until(() => expect(cluster.byName('sandboxes', 'demo', name)?.steps?.at(-1)?.[0]).toBe(reason));
  };
  const taken = async (name: string, op: string) => {
    api.set(pathOf('sandboxes'), { ...upgrading(name, 'PostUpgradeFailed', op), spec: {} });
    await until(() => expect(cluster.byName('sandboxes', 'demo', name)?.op).toBe(op));
  };
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) api.set(pathOf('sandboxes'), sandbox(name, 'v1', 1));
    api.set(pathOf('sandboxupdateops'), operation('up'));
    await start();
    for (const name of ['a', 'b', 'c']) {
      api.set(pathOf('sandboxes'), sandbox(name, 'v2', 2, 'up'));
      await until(() => expect(cluster.byName('sandboxes', 'demo', name)?.op).toBe('up'));
    }
  });

  it('stays known when another one takes it, with the time in each stage and what went wrong', async () => {
    const began = clock;
    await reach('a', 'UpgradePod');
    clock += 9_000;
    await reach('a', 'PostUpgrade');
    clock += 2_000;
    await reach('a', 'PostUpgradeFailed', 'up', 'hook failed with exit code 3');
    clock += 60_000;
    await taken('a', 'next');
    clock += 60_000;
    await reach('a', 'Succeeded', 'next');
    expect((await recordsOf('uid-up')).a).toMatchObject({
      row: {
        name: 'a',
        stage: 'PostUpgradeFailed',
        cause: { detail: 'hook failed with exit code 3' },
        steps: [
          ['UpgradePod', began],
          ['PostUpgrade', began + 9_000],
          ['PostUpgradeFailed', began + 11_000],
        ],
      },
      at: began + 11_000,
      left: { at: began + 71_000, seen: true, why: 'taken', to: 'next' },
    });
  });

  it('stays known when it is deleted or released', async () => {
    await reach('b', 'Succeeded');
    api.delete(pathOf('sandboxes'), 'b', 'demo');
    api.set(pathOf('sandboxes'), sandbox('c', 'v2', 3));
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'c')?.op).toBeUndefined());
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'b')).toBeUndefined());
    expect(await recordsOf('uid-up')).toMatchObject({
      b: { row: { upgraded: true }, left: { at: clock, seen: true, why: 'deleted' } },
      c: { left: { at: clock, seen: true, why: 'released' } },
    });
  });

  it('does not change any more when the operation is done with it', async () => {
    await reach('a', 'Succeeded');
    const { a } = await recordsOf('uid-up');
    clock += 1_000;
    api.set(pathOf('sandboxes'), {
      ...sandbox('a', 'v3', 3, 'up'),
      status: { phase: 'Failed', observedGeneration: 3 },
    });
    await until(() => expect(cluster.byName('sandboxes', 'demo', 'a')?.phase).toBe('Failed'));
    expect((await recordsOf('uid-up')).a).toEqual(a);
  });

  it('is kept over a restart; what happened meanwhile is told as not seen', async () => {
    await reach('a', 'UpgradePod');
    await reach('b', 'UpgradePod');
    const began = clock;
    await journal.flush();
    await stop();
    clock += 600_000;
    api.set(pathOf('sandboxes'), upgrading('a', 'Succeeded', 'up'));
    api.set(pathOf('sandboxes'), upgrading('b', 'UpgradePod', 'next'));
    api.delete(pathOf('sandboxes'), 'c', 'demo');
    await start();
    const records = await recordsOf('uid-up');
    expect(records.a?.row).toMatchObject({ upgraded: true });
    expect(records.a?.row.steps?.[0]).toEqual(['UpgradePod', began]);
    expect(stageTimes(records.a?.row.steps).UpgradePod).toEqual({ from: began });
    expect(records.a).not.toHaveProperty('left');
    expect(records.b).toMatchObject({
      row: { stage: 'UpgradePod' },
      at: began,
      left: { at: clock, seen: false, why: 'taken', to: 'next' },
    });
    expect(records.c).toMatchObject({ left: { at: clock, seen: false, why: 'deleted' } });
  });

  it('is completed when the database comes back only after the sandboxes were listed', async () => {
    await reach('a', 'UpgradePod');
    const began = clock;
    await journal.flush();
    await stop();
    clock += 600_000;
    api.delete(pathOf('sandboxes'), 'c', 'demo');
    const { use } = history;
    history.use = () => Promise.reject(Object.assign(new Error('stale handle'), { name: 'HistoryUnavailable' }));
    await start();
    await reach('a', 'Succeeded');
    history.use = use;
    const records = await recordsOf('uid-up');
    expect(stageTimes(records.a?.row.steps)).toMatchObject({ UpgradePod: { from: began }, Done: { from: clock } });
    expect(records.c?.left).toMatchObject({ why: 'deleted', seen: false });
    expect(await storedOf('uid-up')).toMatchObject([{ before: 'v1', after: 'v2' }, {}, {}]);
  });

  it('goes a month after the operation, not after the sandbox', async () => {
    await reach('a', 'Succeeded');
    await journal.flush();
    const month = 31 * 24 * 3_600_000;
    clock += month;
    await stop();
    await start();
    expect(await recordsOf('uid-up')).toHaveProperty('a');
    api.delete(pathOf('sandboxupdateops'), 'up', 'demo');
    for (const name of ['a', 'b', 'c']) api.set(pathOf('sandboxes'), sandbox(name, 'v2', 5));
    await stop();
    await start();
    await until(async () => expect(await adoptionsOf(history, 'uid-up')).toEqual([]));
  });
});
