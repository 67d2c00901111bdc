import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { collectionPath, resources } from '../controllers/client/resources';
import {
  image,
  newImage,
  pause,
  pool,
  ready,
  resume,
  sandbox,
  template,
  update,
  upgradingReason,
} from '../scenarios/traps/kit';
import { condition, type Stage } from '../scenarios/traps/stage';
import { startPractice } from './testing';

const { pods, sandboxes, nodes, sandboxupdateops } = resources;
let practice: Awaited<ReturnType<typeof startPractice>>;
let stage: Stage;
beforeAll(async () => {
  practice = await startPractice();
  stage = practice.stage;
});
afterAll(() => practice.close());

const create = (name: string) => stage.create(sandboxes, name, { template: template() });
const waiting =
  (reason: RegExp) => (pod: { status?: { containerStatuses?: { state: { waiting?: { reason: string } } }[] } }) =>
    reason.test(pod.status?.containerStatuses?.[0]?.state.waiting?.reason ?? '');

it('images cannot be pulled, or crash, until the end: then the Pods start', async () => {
  const endPull = await practice.fault('node-pull-error', { image: 'practice' });
  await create('unpullable');
  await stage.object(pods, 'unpullable', waiting(/ImagePullBackOff/));
  await endPull();
  await ready(stage, 'unpullable');
  const endCrash = await practice.fault('node-crash-loop', { namespace: 'default' });
  await create('crashing');
  await stage.object(pods, 'crashing', waiting(/CrashLoopBackOff/));
  await endCrash();
  await ready(stage, 'crashing');
});

it('a slow start takes its time, and a name that is not the spec’s keeps a resume waiting', async () => {
  const end = await practice.fault('node-slow-start', { seconds: 1 });
  const started = Date.now();
  await sandbox(stage, 'slow');
  expect(Date.now() - started).toBeGreaterThan(1000);
  await end();
  const endNames = await practice.fault('node-other-image-name', { as: 'tag' });
  await pause(stage, 'slow');
  await resume(stage, 'slow');
  const { status } = await stage.object(pods, 'slow', (pod) => pod.status?.phase === 'Running');
  expect(status.initContainerStatuses[0].image).toMatch(/:same-content$/);
  expect((await stage.get(sandboxes, 'slow')).status.phase).toBe('Resuming');
  await endNames();
});

it('without room Pods wait', async () => {
  const end = await practice.fault('node-unschedulable');
  await create('homeless');
  await stage.object(pods, 'homeless', (pod) => condition(pod, 'PodScheduled').reason === 'Unschedulable');
  await end();
  await ready(stage, 'homeless');
});

it('a node goes down: NotReady, its Pods unready, then marked, and gone when it is back', async () => {
  await sandbox(stage, 'on-node');
  const { spec } = await stage.get(pods, 'on-node');
  const node = () => stage.api.get(`/api/v1/nodes/${spec.nodeName}`).then(JSON.stringify);
  const end = await practice.fault('node-down', { node: spec.nodeName, evictAfterSeconds: 0.2 });
  expect(await node()).toContain('Kubelet stopped posting node status.');
  await stage.object(pods, 'on-node', (pod) => condition(pod, 'Ready').status === 'False');
  await stage.object(pods, 'on-node', ({ metadata }) => metadata.deletionTimestamp !== undefined);
  await end();
  expect(await node()).toContain('kubelet is posting ready status');
  await stage.object(sandboxes, 'on-node', ({ status }) => status.phase === 'Failed');
  const unknown = await practice.ask('POST', '/faults/node-down', { params: { node: 'nowhere' } });
  expect(unknown).toMatchObject({ status: 409, body: { error: expect.stringContaining('worker-01') } });
  expect(nodes.plural).toBe('nodes');
});

it('stopped controllers do nothing, in one namespace or everywhere, with their webhooks', async () => {
  // Others that go on meanwhile show that there was time to act.
  const other = await stage.beside('other');
  const endFirst = await practice.fault('controllers-stopped', { namespace: 'default' });
  await create('waiting');
  await sandbox(other, 'served');
  expect((await stage.get(sandboxes, 'waiting')).status).toBeUndefined();
  await endFirst();
  await ready(stage, 'waiting');
  const end = await practice.fault('controllers-stopped');
  await create('ignored');
  // The simulated nodes are not stopped, and take longer to bring a Pod up than a controller takes to begin.
  await stage.api.create(collectionPath(pods, 'default'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'plain' },
    spec: template().spec,
  });
  await stage.object(pods, 'plain', (pod) => condition(pod, 'Ready').status === 'True');
  const refused = await stage.create(resources.sandboxsets, 'refused', { replicas: 0 }).catch((error: Error) => error);
  expect(String(refused)).toContain('failed calling webhook');
  expect((await stage.get(sandboxes, 'ignored')).status).toBeUndefined();
  await end();
  await ready(stage, 'ignored');
});

it('slow controllers take longer', async () => {
  const end = await practice.fault('controllers-slow', { ms: 500 });
  const started = Date.now();
  await sandbox(stage, 'late');
  expect(Date.now() - started).toBeGreaterThan(1000);
  await end();
});

it('the next leader lists anew when the lease is over, and remembers nothing of the last one', async () => {
  const claimless = (name: string) =>
    stage.create(resources.sandboxclaims, name, { templateName: 'empty', createOnNoStock: false });
  const refusals = async () =>
    (await stage.list(resources.events)).filter(({ reason }) => reason === 'NoAvailableSandboxes');
  await pool(stage, 'empty', { replicas: 0 });
  await claimless('in-vain');
  // The same words again: one event, counted.
  await expect.poll(async () => (await refusals()).map(({ count }) => Number(count) > 1)).toEqual([true]);
  const startTime = () => Number(/^process_start_time_seconds (\S+)$/m.exec(practice.metrics())?.[1]);
  const before = startTime();
  const lists: string[] = [];
  const stopListening = practice.faults.targets.door?.add(({ method, url }) => {
    if (method === 'GET' && /^\/apis\/agents.kruise.io\/v1alpha1\/[a-z]+\?limit=/.test(url)) lists.push(url);
    return undefined;
  });
  const end = await practice.fault('controllers-fail-over', { pauseSeconds: 300 });
  await create('between');
  await stage.create(pods, 'beside', template().spec);
  await stage.object(pods, 'beside', (pod) => condition(pod, 'Ready').status === 'True');
  expect((await stage.get(sandboxes, 'between')).status).toBeUndefined();
  expect(lists).toEqual([]);
  await end();
  expect(lists.map((url) => url.replace(/^.*\/|\?.*$/g, '')).sort()).toEqual([
    'checkpoints',
    'sandboxclaims',
    'sandboxes',
    'sandboxsets',
    'sandboxtemplates',
    'sandboxupdateops',
  ]);
  expect(startTime()).toBeGreaterThan(before);
  await ready(stage, 'between');
  await expect.poll(async () => (await refusals()).length).toBe(2);
  stopListening?.();
});

it('the runtime fails: hooks, and initialisations', async () => {
  const end = await practice.fault('runtime-hook-fails', { namespace: 'default' });
  await sandbox(stage, 'hooked');
  const lifecycle = { preUpgrade: { exec: { command: ['/bin/true'] }, timeoutSeconds: 1 } };
  await update(stage, 'up-1', { ...newImage(), lifecycle, selector: { matchLabels: { batch: 'a' } } });
  await stage.object(sandboxes, 'hooked', upgradingReason('PreUpgradeFailed'));
  await end();
  await stage.remove(sandboxupdateops, 'up-1');
  await stage.objects(sandboxupdateops, (all) => all.length === 0);
  // The label that was taken off let it run the hook again. Changed on the way, it would look for a Pod that is gone.
  await stage.object(sandboxes, 'hooked', upgradingReason('Succeeded'));
  await practice.fault('runtime-hook-hangs');
  const more = { patch: { spec: { containers: [{ name: 'sandbox', image: image('v3') }] } } };
  await update(stage, 'up-2', { ...more, lifecycle });
  await stage.object(sandboxes, 'hooked', (it) => condition(it, 'Upgrading').message?.includes('deadline_exceeded'));
  const endInit = await practice.fault('runtime-init-fails');
  await pool(stage, 'web', { replicas: 1 });
  await stage.create(resources.sandboxclaims, 'bad', { templateName: 'web', claimTimeout: '1s' });
  await stage.objects(resources.events, (all) => all.some(({ reason }) => reason === 'NoAvailableSandboxes'));
  await endInit();
}, 60_000);

it('a fault that cannot be ended stays, is named, and is ended by its timer as soon as that is possible', async () => {
  const own = (name: string) => practice.faults.active.filter((one) => one.name === name);
  const others = practice.faults.active.map(({ id }) => id);
  for (const id of others) await practice.faults.end(id);
  await practice.ask('POST', '/faults/node-down', { params: {}, seconds: 0.1 });
  const broken = await practice.fault('api-errors', { share: 1, methods: ['PATCH'], resource: 'nodes' });
  const [down] = own('node-down');
  // Its time is over, and it has been tried again.
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await expect
    .poll(() => written.mock.calls.flat().join(''))
    .toMatch(/fault node-down could not be ended yet: .*timed out/);
  written.mockRestore();
  expect(own('node-down')).toHaveLength(1);
  expect((await practice.ask('DELETE', `/faults/${down?.id}`)).status).toBe(500);
  expect(own('node-down')).toHaveLength(1);
  await broken();
  await expect.poll(() => practice.faults.active).toEqual([]);
});

it('ending all ends those of the API server first, and names those that could not be ended', async () => {
  const patches = { share: 1, methods: ['PATCH'], resource: 'nodes' };
  await practice.fault('node-down');
  await practice.fault('api-errors', patches);
  expect(await practice.ask('DELETE', '/faults')).toEqual({ status: 200, body: { active: [] } });
  await practice.fault('node-down');
  const [down] = practice.faults.active;
  await practice.fault('node-slow-start');
  // Nothing that the door knows of, so it does not end it.
  const mend = practice.faults.targets.door?.add(({ method, url }) =>
    method === 'PATCH' && url.includes('/nodes/') ? { status: 500, body: {} } : undefined,
  );
  expect(await practice.ask('DELETE', '/faults')).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining(`node-down (${down?.id})`), active: [down?.id] },
  });
  mend?.();
  expect((await practice.ask('DELETE', '/faults')).status).toBe(200);
});
