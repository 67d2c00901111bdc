import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { readRecording } from '@/server/testing/play';
import { Cluster } from './cluster';
import { ingest, retained } from './ingest';
import { watched } from './kinds';
import { digestPod, projectClaim, projectPool, projectSandbox, projectUpgrade } from './rows';
import type { RowChange } from './table';
import { FakeApiServer, fastTiming, sendJson } from './testing/fake-api-server';

const paths = Object.fromEntries(Object.entries(watched).map(([kind, { path }]) => [kind, path]));
const pathOf = (kind: string) => paths[kind] ?? `/unused/${kind}`;

const until = (check: () => void) => vi.waitFor(check, 5_000);

let api: FakeApiServer;
let cluster: Cluster;
let clock: number;

beforeEach(async () => {
  clock = Date.parse('2026-11-29T10:00:00Z');
  api = await FakeApiServer.start(...Object.values(paths));
});

afterEach(async () => {
  cluster.stop();
  await api.stop();
});

async function start(): Promise<Cluster> {
  // The clock of these tests jumps by minutes, which is no silence.
  cluster = new Cluster(api.config(), { ...fastTiming, silence: 24 * 3_600_000 }, () => clock);
  cluster.start();
  await until(() => expect(cluster.freshness().kinds.every(({ state }) => state === 'live')).toBe(true));
  await until(() => expect(api.watches(pathOf('sandboxes'))).toBe(1));
  return cluster;
}

const sandbox = (name: string, more: { labels?: object; phase?: string; ready?: boolean; idle?: boolean } = {}) => ({
  metadata: {
    name,
    namespace: 'demo',
    uid: `uid-${name}`,
    generation: 1,
    labels: { 'agents.kruise.io/sandbox-pool': 'pool', ...more.labels },
    ...(more.idle
      ? {
          ownerReferences: [
            { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'pool', uid: 'u', controller: true },
          ],
        }
      : {}),
  },
  spec: { template: { spec: { containers: [{ name: 'main', image: 'busybox' }] } } },
  status: {
    phase: more.phase ?? 'Running',
    observedGeneration: 1,
    conditions: [{ type: 'Ready', status: more.ready === false ? 'False' : 'True' }],
  },
});
const pod = (name: string, node: string, uid = `uid-${name}`) => ({
  metadata: {
    name,
    namespace: 'demo',
    uid: `pod-${name}`,
    ownerReferences: [{ apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name, uid, controller: true }],
  },
  spec: { nodeName: node, containers: [] },
  status: { phase: 'Running' },
});
const pool = (replicas: number) => ({
  metadata: { name: 'pool', namespace: 'demo', uid: 'uid-pool' },
  spec: { replicas, template: { spec: { containers: [{ name: 'main', image: 'busybox' }] } } },
});
const row = (name: string) => cluster.byName('sandboxes', 'demo', name);
const poolRow = () => cluster.byName('sandboxsets', 'demo', 'pool');
const stateOf = (kind: string) => cluster.freshness().kinds.find((known) => known.kind === kind)?.state;

describe('a rolling update that meets a claim', () => {
  const hash = (revision: string) => ({ 'agents.kruise.io/template-hash': revision });
  const claim = { ...hash('old'), 'agents.kruise.io/sandbox-claimed': 'true' };
  const lost = () => poolRow()?.lost;
  const old = (name: string) => {
    const { metadata, ...rest } = sandbox(name, { labels: claim });
    return { metadata: { ...metadata, annotations: { 'agents.kruise.io/owner': 'ann' } }, ...rest };
  };
  const rolling = async (revision: string) => {
    api.set(pathOf('sandboxsets'), { ...pool(2), status: { updateRevision: revision } });
    api.set(pathOf('sandboxes'), sandbox('box', { idle: true, labels: hash('old') }));
    await start();
    await until(() => expect(row('box')?.idle).toBe(true));
    api.set(pathOf('sandboxes'), old('box'));
    await until(() => expect(row('box')?.claimed).toBe(true));
  };
  const shown = async () => {
    // Any change of the pool brings what was seen meanwhile.
    api.set(pathOf('sandboxsets'), { ...pool(3), status: { updateRevision: 'new' } });
    await until(() => expect(poolRow()?.desired).toBe(3));
    return lost();
  };

  it('lists the session as lost, with the time and the revision', async () => {
    await rolling('new');
    clock += 1_000;
    api.delete(pathOf('sandboxes'), 'box', 'demo');
    await until(() => expect(row('box')).toBeUndefined());
    expect(await shown()).toEqual({
      count: 1,
      last: [{ uid: 'uid-box', name: 'box', owner: 'ann', hash: 'old', at: clock, afterMs: 1_000 }],
    });
  });

  it.each([
    ['later than a controller can be late', 'new', 60_000],
    ['of a pool that replaces nothing', 'old', 1_000],
  ])('takes a deletion for its user’s: %s', async (_, revision, after) => {
    await rolling(revision);
    clock += after;
    api.delete(pathOf('sandboxes'), 'box', 'demo');
    await until(() => expect(row('box')).toBeUndefined());
    expect(await shown()).toBeUndefined();
  });
});

describe('recordings of the real controllers', () => {
  const scenarios = [
    'pause-resume-stop',
    'claim-and-refill',
    'update-pre-upgrade-hook-fails',
    'recycle',
    'second-update-race',
  ];

  it.each(scenarios)('%s: rows at the end are those of the objects at the end', async (scenario) => {
    await start();
    const last = new Map<string, { kind: string; object: { metadata: { name: string } } }>();
    for (const { kind, type, object } of readRecording(scenario).events) {
      const { name, namespace } = object.metadata;
      if (type === 'DELETED') {
        api.delete(pathOf(kind), name, String(namespace));
        last.delete(`${kind}/${name}`);
      } else {
        api.set(pathOf(kind), object);
        last.set(`${kind}/${name}`, { kind, object });
      }
    }
    const of = (kind: string) => [...last.values()].filter((each) => each.kind === kind).map(({ object }) => object);
    const podOf = (name: string) => digestPod(last.get(`pods/${name}`)?.object);
    const untimed = ({ since: _s, sinceFrom: _f, steps: _steps, ...rest }: SandboxRow) => rest;
    const sorted = <T extends { name: string }>(rows: Iterable<T>) =>
      [...rows].sort((a, b) => a.name.localeCompare(b.name));

    const sandboxes = of('sandboxes').flatMap((object) => projectSandbox(object, podOf(object.metadata.name)) ?? []);
    await until(() => expect(sorted(cluster.rows('sandboxes')).map(untimed)).toEqual(sorted(sandboxes).map(untimed)));
    await until(() => {
      expect(sorted(cluster.rows('sandboxsets'))).toEqual(
        sorted(of('sandboxsets').flatMap((o) => projectPool(o) ?? [])).map((r) => expect.objectContaining(r)),
      );
      expect(sorted(cluster.rows('sandboxclaims'))).toEqual(
        sorted(of('sandboxclaims').flatMap((o) => projectClaim(o) ?? [])),
      );
      expect(sorted(cluster.rows('sandboxupdateops'))).toEqual(
        sorted(of('sandboxupdateops').flatMap((o) => projectUpgrade(o) ?? [])),
      );
    });
  });

  it.each(scenarios)('%s: what is kept of a sandbox makes the same row as the whole of it', (scenario) => {
    cluster = new Cluster(api.config());
    const sandboxes = readRecording(scenario).events.filter(({ kind }) => kind === 'sandboxes');
    expect(sandboxes.length).toBeGreaterThan(0);
    for (const { object } of sandboxes) {
      const kept = retained(ingest(object)?.object);
      expect(projectSandbox(JSON.parse(kept), undefined)).toEqual(projectSandbox(object, undefined));
    }
  });
});

describe('sandboxes and their Pods', () => {
  it('joins the Pod of the same name, whichever comes first, and follows it', async () => {
    api.set(pathOf('pods'), pod('early', 'node-1'));
    api.set(pathOf('sandboxes'), sandbox('early'));
    await start();
    expect(row('early')?.node).toBe('node-1');
    api.set(pathOf('sandboxes'), sandbox('late'));
    await until(() => expect(row('late')).toBeDefined());
    expect(row('late')?.node).toBeUndefined();
    api.set(pathOf('pods'), pod('late', 'node-2'));
    await until(() => expect(row('late')?.node).toBe('node-2'));
    api.delete(pathOf('pods'), 'late', 'demo');
    await until(() => expect(row('late')?.node).toBeUndefined());
  });

  it('says that the node of a Pod that does not end is not ready, while that is so', async () => {
    const node = (ready: string) => ({
      metadata: { name: 'node-1', uid: 'uid-node-1' },
      spec: {},
      status: { conditions: [{ type: 'Ready', status: ready }] },
    });
    const ending = pod('s', 'node-1');
    api.set(pathOf('nodes'), node('True'));
    api.set(pathOf('pods'), {
      ...ending,
      metadata: { ...ending.metadata, deletionTimestamp: '2026-11-29T09:59:00Z' },
    });
    api.set(pathOf('sandboxes'), sandbox('s', { phase: 'Paused' }));
    await start();
    expect(row('s')?.cause?.code).toBe('OldPodTerminating');
    const told: unknown[] = [];
    cluster.onSandbox(({ before, after, live }) =>
      told.push([before?.row.cause?.code, after?.row.cause?.code, after?.row.gate, live]),
    );
    api.set(pathOf('nodes'), node('Unknown'));
    await until(() => expect(row('s')?.cause?.code).toBe('NodeNotReady'));
    api.set(pathOf('nodes'), node('True'));
    await until(() => expect(row('s')?.cause?.code).toBe('OldPodTerminating'));
    expect(told).toEqual([
      ['OldPodTerminating', 'NodeNotReady', 'PodGone', true],
      ['NodeNotReady', 'OldPodTerminating', 'PodGone', true],
    ]);
  });

  it('says that the operation of a sandbox that it woke is paused, while that is so', async () => {
    const object = sandbox('s', { phase: 'Upgrading', labels: { 'agents.kruise.io/update-ops': 'up' } });
    const operation = (paused: boolean) => ({
      metadata: { name: 'up', namespace: 'demo', uid: 'uid-up' },
      spec: { paused },
      status: { phase: 'Updating' },
    });
    api.set(pathOf('sandboxupdateops'), operation(true));
    api.set(pathOf('sandboxes'), {
      ...object,
      status: {
        phase: 'Upgrading',
        observedGeneration: 1,
        conditions: [{ type: 'Upgrading', status: 'False', reason: 'ResumeSucceed' }],
      },
    });
    await start();
    await until(() => expect(row('s')?.cause?.code).toBe('OperationPaused'));
    api.set(pathOf('sandboxupdateops'), operation(false));
    await until(() => expect(row('s')?.cause?.code).toBe('WaitingForPatch'));
    api.set(pathOf('sandboxupdateops'), operation(true));
    await until(() => expect(row('s')?.cause?.code).toBe('OperationPaused'));
  });

  it('remembers of a paused sandbox what its last Pod reported, as long as its template pins the image', async () => {
    const image = `reg.local/runtime@sha256:${'a'.repeat(64)}`;
    const initContainers = [{ name: 'runtime', image }];
    const asked = (phase: string, wanted = image) => {
      const object = sandbox('s', { phase });
      const template = { spec: { initContainers: [{ name: 'runtime', image: wanted }], containers: [] } };
      return { ...object, spec: { ...(object as { spec?: object }).spec, paused: phase === 'Paused', template } };
    };
    api.set(pathOf('pods'), {
      ...pod('s', 'node-1'),
      spec: { nodeName: 'node-1', initContainers },
      status: {
        phase: 'Running',
        initContainerStatuses: [{ name: 'runtime', image: `sha256:${'b'.repeat(64)}` }],
      },
    });
    api.set(pathOf('sandboxes'), asked('Running'));
    await start();
    expect(row('s')).toMatchObject({ strands: true });
    api.set(pathOf('sandboxes'), asked('Paused'));
    api.delete(pathOf('pods'), 's', 'demo');
    await until(() => expect(row('s')).toMatchObject({ phase: 'Paused', pinned: true, strands: true }));
    await until(() => expect(row('s')?.node).toBeUndefined());
    expect(row('s')?.strands).toBe(true);
    api.set(pathOf('sandboxes'), asked('Paused', 'reg.local/runtime:v1'));
    await until(() => expect(row('s')?.pinned).toBeUndefined());
    expect(row('s')?.strands).toBeUndefined();
  });

  it('asks for the Pods of sandboxes only', async () => {
    await start();
    expect(api.requests('/api/v1/pods', 'list')[0]?.query.get('labelSelector')).toBe(
      'agents.kruise.io/created-by=sandbox',
    );
    expect(api.requests('/api/v1/pods', 'watch')[0]?.query.get('labelSelector')).toBe(
      'agents.kruise.io/created-by=sandbox',
    );
  });

  it('dates a state that no condition dates by when it was first seen, in a list or as it came', async () => {
    api.set(pathOf('sandboxes'), sandbox('s', { phase: 'Resuming' }));
    await start();
    const listedAt = clock;
    clock += 5_000;
    await api.crash();
    await until(() => expect(stateOf('sandboxes')).toBe('degraded'));
    await api.listen();
    await until(() => expect(stateOf('sandboxes')).toBe('live'));
    expect(row('s')).toMatchObject({ since: listedAt, sinceFrom: 'observed' });
    api.set(pathOf('sandboxes'), sandbox('s', { phase: 'Recycling' }));
    await until(() => expect(row('s')?.state).toBe('Recycling'));
    expect(row('s')).toMatchObject({ since: clock, sinceFrom: 'observed' });
    const seenAt = clock;
    clock += 5_000;
    api.set(pathOf('sandboxes'), sandbox('s', { phase: 'Recycling', labels: { changed: 'yes' } }));
    api.set(pathOf('pods'), pod('s', 'node-1'));
    await until(() => expect(row('s')?.node).toBeDefined());
    expect(row('s')).toMatchObject({ since: seenAt, sinceFrom: 'observed' });
  });

  it('keeps no secrets and no bulk', () => {
    cluster = new Cluster(api.config());
    const object = {
      ...sandbox('s'),
      metadata: {
        ...sandbox('s').metadata,
        managedFields: [{ manager: 'm' }],
        annotations: {
          'agents.kruise.io/runtime-access-token': 'hunter2',
          'agents.kruise.io/init-runtime-request': '{"accessToken":"hunter2"}',
          'e2b.agents.kruise.io/envd-access-token': 'hunter2',
          'kubectl.kubernetes.io/last-applied-configuration': '{"hunter2":1}',
          'example.com/huge': 'x'.repeat(900_000),
          'e2b.agents.kruise.io/csi-volume-config': 'hunter2',
          'agents.kruise.io/owner': 'team',
        },
      },
    };
    const kept = retained(ingest(object)?.object);
    expect(kept).not.toMatch(/hunter2|managedFields|busybox/);
    expect(kept.length).toBeLessThan(1_000);
    expect(kept).toContain('team');
  });
});

describe('images of the next Pod of a sandbox', () => {
  const digest = `registry.local/runtime@sha256:${'a'.repeat(64)}`;
  const inits = (image: string) => [{ name: 'agent-runtime', image }];
  const reporting = (name: string) => {
    const made = pod(name, 'node-1');
    const initContainerStatuses = [{ name: 'agent-runtime', image: `sha256:${'b'.repeat(64)}` }];
    return {
      ...made,
      spec: { ...made.spec, initContainers: inits(digest) },
      status: { phase: 'Running', initContainerStatuses },
    };
  };
  const template = (image: string) => ({
    metadata: { name: 'tools', namespace: 'demo', uid: 'uid-tools' },
    spec: { template: { spec: { initContainers: inits(image) } } },
  });
  const paused = (name: string, spec?: object) => {
    const object = sandbox(name, { phase: 'Paused' });
    const conditions = [{ type: 'SandboxPaused', status: 'True', reason: 'StopPauseSucceed' }];
    return { ...object, spec: { ...(spec ?? object.spec), paused: true }, status: { ...object.status, conditions } };
  };

  it('are remembered of the last Pod where no template names them', async () => {
    api.set(pathOf('pods'), reporting('s'));
    api.set(pathOf('sandboxes'), sandbox('s'));
    await start();
    expect(row('s')).toMatchObject({ strands: true, pinned: true, imageFrom: 'injection' });
    api.set(pathOf('sandboxes'), paused('s'));
    api.delete(pathOf('pods'), 's', 'demo');
    await until(() => expect(row('s')?.node).toBeUndefined());
    expect(row('s')).toMatchObject({ state: 'Paused', strands: true, pinned: true, imageFrom: 'injection' });
  });

  it('are those of the SandboxTemplate that it refers to, and its pool', async () => {
    const spec = { templateRef: { name: 'tools' } };
    api.set(pathOf('sandboxtemplates'), template(digest));
    api.set(pathOf('sandboxes'), paused('s', spec));
    api.set(pathOf('sandboxsets'), { ...pool(0), spec: { replicas: 0, ...spec } });
    await start();
    expect(row('s')).toMatchObject({ pinned: true, imageFrom: 'SandboxTemplate' });
    expect(poolRow()?.digestPinned).toEqual(['agent-runtime']);
    api.set(pathOf('sandboxtemplates'), template('registry.local/runtime:v1'));
    await until(() => expect(row('s')?.pinned).toBeUndefined());
    expect(poolRow()?.digestPinned).toBeUndefined();
  });
});

describe('a sandbox that cannot move', () => {
  const podPath = '/api/v1/namespaces/demo/pods/s';
  const resuming = () => {
    const object = sandbox('s', { phase: 'Resuming' });
    const lastTransitionTime = new Date(clock - 2_520_000).toISOString();
    const conditions = [{ type: 'SandboxResumed', status: 'False', reason: 'CreatePod', lastTransitionTime }];
    return { ...object, status: { ...object.status, conditions } };
  };
  const unscheduled = () => ({
    ...pod('s', 'node-1'),
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message: 'no room' }] },
  });

  it('waits for its own Pod, also for one without the label that Pods are watched by', async () => {
    api.set(pathOf('sandboxes'), resuming());
    api.fault = ({ path }, response) => {
      if (path === podPath) sendJson(response, 200, unscheduled());
      return path === podPath;
    };
    await start();
    await until(() => expect(row('s')?.cause).toEqual({ code: 'Unschedulable', detail: 'no room' }));
  });

  it('has no Pod where there is none of its name, either', async () => {
    api.set(pathOf('sandboxes'), resuming());
    await start();
    await until(() => expect(api.asked.filter(({ path }) => path === podPath)).toHaveLength(1));
    expect(row('s')?.cause?.code).toBe('PodMissing');
  });

  it('is held up by a SandboxTemplate that does not exist, until it does', async () => {
    const spec = { templateRef: { name: 'tools' } };
    api.set(pathOf('sandboxes'), { ...sandbox('s', { phase: 'Pending' }), spec });
    api.set(pathOf('sandboxsets'), { ...pool(1), spec: { replicas: 1, ...spec } });
    await start();
    expect(row('s')?.cause).toEqual({ code: 'TemplateMissing', detail: 'tools' });
    expect(poolRow()?.templateMissing).toBe(true);
    api.set(pathOf('sandboxtemplates'), { metadata: { name: 'tools', namespace: 'demo', uid: 't' }, spec: {} });
    await until(() => expect(row('s')?.cause?.code).toBe('PodMissing'));
    expect(poolRow()?.templateMissing).toBeUndefined();
  });
});

describe('pools', () => {
  it('tells since when a pool has been short, and forgets it once it is full', async () => {
    const having = (available: number) => ({ ...pool(3), status: { replicas: 3, availableReplicas: available } });
    api.set(pathOf('sandboxsets'), having(2));
    await start();
    const since = clock;
    await until(() => expect(poolRow()?.belowSince).toBe(since));
    clock += 40_000;
    api.set(pathOf('sandboxsets'), having(1));
    await until(() => expect(poolRow()).toMatchObject({ available: 1, belowSince: since }));
    api.set(pathOf('sandboxsets'), having(3));
    await until(() => expect(poolRow()?.available).toBe(3));
    expect(poolRow()?.belowSince).toBeUndefined();
  });

  it('counts claims and refills of ten minutes, once a minute was watched', async () => {
    api.set(pathOf('sandboxsets'), pool(2));
    api.set(pathOf('sandboxes'), sandbox('a', { idle: true }));
    await start();
    await until(() => expect(row('a')?.state).toBe('Available'));
    expect(poolRow()?.claimsPerMin).toBeUndefined();
    clock += 30_000;
    api.set(pathOf('sandboxes'), sandbox('a', { labels: { 'agents.kruise.io/sandbox-claimed': 'true' } }));
    api.set(pathOf('sandboxes'), sandbox('b', { idle: true, phase: 'Pending', ready: false }));
    await until(() => expect(row('b')?.state).toBe('Creating'));
    api.set(pathOf('sandboxes'), sandbox('b', { idle: true }));
    await until(() => expect(row('b')?.state).toBe('Available'));
    clock += 90_000;
    api.set(pathOf('sandboxsets'), { ...pool(2), status: { replicas: 2 } });
    await until(() => expect(poolRow()).toMatchObject({ claimsPerMin: 0.5, refillsPerMin: 0.5 }));
    clock += 10 * 60_000;
    api.set(pathOf('sandboxsets'), { ...pool(2), status: { replicas: 1 } });
    await until(() => expect(poolRow()).toMatchObject({ replicas: 1, claimsPerMin: 0, refillsPerMin: 0 }));
  });

  it('counts anew after a time in which sandboxes were not seen', async () => {
    api.set(pathOf('sandboxsets'), pool(2));
    api.set(pathOf('sandboxes'), sandbox('a', { idle: true }));
    await start();
    clock += 90_000;
    api.set(pathOf('sandboxsets'), { ...pool(2), status: { replicas: 2 } });
    await until(() => expect(poolRow()).toMatchObject({ replicas: 2, claimsPerMin: 0 }));
    await api.crash();
    await until(() => expect(stateOf('sandboxes')).toBe('degraded'));
    clock += 90_000;
    await api.listen();
    await until(() => expect(stateOf('sandboxes')).toBe('live'));
    api.set(pathOf('sandboxsets'), { ...pool(2), status: { replicas: 1 } });
    await until(() => expect(poolRow()?.replicas).toBe(1));
    expect(poolRow()?.claimsPerMin).toBeUndefined();
  });

  it('remembers who wanted how many before, as far as it was seen', async () => {
    api.set(pathOf('sandboxsets'), pool(3));
    await start();
    expect(poolRow()?.scaledAt).toBeUndefined();
    api.set(pathOf('sandboxsets'), pool(12));
    await until(() => expect(poolRow()?.desired).toBe(12));
    expect(poolRow()).toMatchObject({ scaledAt: clock, scaledFrom: 3 });
    await api.crash();
    api.set(pathOf('sandboxsets'), pool(5));
    await api.listen();
    await until(() => expect(poolRow()?.desired).toBe(5));
    expect(poolRow()?.scaledAt).toBeUndefined();
  });
});

describe('the cluster as a whole', () => {
  it('names itself, its version, and the agents kinds it does not serve', async () => {
    api.serve(pathOf('sandboxclaims'), false);
    cluster = new Cluster(api.config(), fastTiming);
    cluster.start();
    await cluster.ready(5_000);
    await cluster.prove();
    expect(cluster.info()).toEqual({
      name: 'fake',
      server: api.url,
      version: 'v1.35.4',
      embedded: false,
      missing: ['sandboxclaims'],
    });
  });

  it('tells a change once, and nothing when a row stays the same', async () => {
    await start();
    const told: RowChange[] = [];
    cluster.onChange((change) => told.push(change));
    api.set(pathOf('namespaces'), { metadata: { name: 'demo', uid: 'n1' } });
    api.set(pathOf('sandboxes'), sandbox('s'));
    await until(() => expect(told).toHaveLength(2));
    expect(told).toContainEqual({ kind: 'sandboxes', uid: 'uid-s', namespace: 'demo' });
    expect(told).toContainEqual({ kind: 'namespaces', uid: 'n1', namespace: 'demo' });
    api.set(pathOf('sandboxes'), { ...sandbox('s'), spec: { ...sandbox('s').spec, irrelevant: true } });
    api.delete(pathOf('namespaces'), 'demo');
    await until(() => expect(told).toHaveLength(3));
    expect(cluster.row('namespaces', 'n1')).toBeUndefined();
  });

  it('has one list and one watch a kind', async () => {
    await start();
    for (const { path } of Object.values(watched)) {
      expect(api.requests(path, 'list')).toHaveLength(1);
      await until(() => expect(api.watches(path)).toBe(1));
    }
  });

  it('does not keep a list waiting when the API server cannot be reached', async () => {
    await api.crash();
    cluster = new Cluster(api.config(), fastTiming);
    cluster.start();
    await cluster.ready(5_000);
    expect(cluster.freshness().kinds.every(({ state, reason }) => state === 'degraded' && reason)).toBe(true);
    await api.listen();
    await until(() => expect(cluster.freshness().kinds.every(({ state }) => state === 'live')).toBe(true));
  });
});

describe('an upgrade of a sandbox', () => {
  const path = pathOf('sandboxes');
  const upgrading = (
    reason: string,
    generation: number,
    more: { op?: string; status?: string; image?: string } = {},
  ) => {
    const base = sandbox('s1', { labels: more.op ? { 'agents.kruise.io/update-ops': more.op } : {} });
    const done = more.status === 'True';
    return {
      ...base,
      metadata: { ...base.metadata, generation },
      spec: { template: { spec: { containers: [{ name: 'main', image: more.image ?? 'busybox' }] } } },
      status: {
        phase: done ? 'Running' : 'Upgrading',
        observedGeneration: generation,
        conditions: [
          { type: 'Upgrading', status: more.status ?? 'False', reason, lastTransitionTime: '2026-11-29T09:00:00Z' },
        ],
      },
    };
  };

  it('leaves its stages in the row, timed as they were seen to come', async () => {
    api.set(path, sandbox('s1'));
    await start();
    clock += 1_000;
    api.set(path, upgrading('PreUpgrade', 2, { op: 'up' }));
    await until(() => expect(row('s1')?.steps).toEqual([['PreUpgrade', clock]]));
    const first = clock;
    clock += 5_000;
    api.set(path, upgrading('UpgradePod', 2, { op: 'up' }));
    await until(() => expect(row('s1')?.steps?.at(-1)).toEqual(['UpgradePod', clock]));
    clock += 5_000;
    api.set(pathOf('pods'), pod('s1', 'n1'));
    await until(() => expect(row('s1')?.node).toBe('n1'));
    api.set(path, upgrading('Succeeded', 3, { op: 'up', status: 'True' }));
    await until(() => expect(row('s1')?.steps).toHaveLength(3));
    expect(row('s1')?.steps).toEqual([
      ['PreUpgrade', first],
      ['UpgradePod', first + 5_000],
      ['Succeeded', clock],
    ]);
    // Taken up by the next operation, it still carries the condition of the last one.
    const taken = upgrading('Succeeded', 3, { op: 'next', status: 'True' });
    api.set(path, { ...taken, metadata: { ...taken.metadata, generation: 4 } });
    await until(() => expect(row('s1')).toMatchObject({ op: 'next' }));
    expect(row('s1')?.steps).toBeUndefined();
  });

  it('that was under way before is timed by its condition', async () => {
    api.set(path, upgrading('UpgradePod', 2, { op: 'up' }));
    await start();
    expect(row('s1')?.steps).toEqual([['UpgradePod', Date.parse('2026-11-29T09:00:00Z')]]);
  });

  it('keeps only the last stages, and the order of their times when some were missed', async () => {
    api.set(path, sandbox('s1'));
    await start();
    for (let n = 0; n < 14; n++) {
      clock += 1_000;
      api.set(path, upgrading(n % 2 === 0 ? 'PreUpgrade' : 'PreUpgradeFailed', n + 2, { op: 'up' }));
      const at = clock;
      await until(() => expect(row('s1')?.steps?.at(-1)?.[1]).toBe(at));
    }
    expect(row('s1')?.steps).toHaveLength(12);
    const before = row('s1')?.steps;
    await api.crash();
    // Its condition has stood since before the last stage that was seen.
    api.set(path, upgrading('UpgradePod', 16, { op: 'up' }));
    api.compactedAt = Number.POSITIVE_INFINITY;
    await api.listen();
    await until(() => expect(row('s1')?.stage).toBe('UpgradePod'));
    expect(row('s1')?.steps).toEqual(before);
  });

  it('tells listeners the template before and after', async () => {
    api.set(path, sandbox('s1'));
    await start();
    const seen: unknown[] = [];
    cluster.onSandbox(({ before, after, live }) =>
      seen.push([before?.template?.text(), after?.template?.text(), after?.row.op, live]),
    );
    api.set(path, upgrading('UpgradePod', 2, { op: 'up', image: 'new' }));
    const text = (image: string) => JSON.stringify({ spec: { containers: [{ image, name: 'main' }] } });
    await until(() => expect(seen).toEqual([[text('busybox'), text('new'), 'up', true]]));
  });
});
