import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startApiServer } from '../apiserver/server';
import { Api } from '../controllers/client/api';
import { nodeSchema, type Pod, podSchema } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import { connectUrl } from '../controllers/connect';
import { runControllers } from '../controllers/run';
import { ensureNodes } from '../scenarios/objects';
import { fastDelays } from './options';

let api: Api;
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const server = await startApiServer({ port: 0 });
  url = server.url;
  const connection = connectUrl(url);
  api = new Api(connection);
  await ensureNodes(api, 2);
  const ending = new AbortController();
  const running = await runControllers({
    api: connection,
    signal: ending.signal,
    controllers: false,
    delays: fastDelays,
  });
  stop = async () => {
    await running.stop();
    api.close();
    await server.close();
  };
});
afterAll(() => stop());

const pods = collectionPath(resources.pods, 'default');
const path = (name: string) => objectPath(resources.pods, { metadata: { name, namespace: 'default' } });
const read = async (name: string): Promise<Pod> => podSchema.parse(await api.get(path(name)));

const createPod = (name: string, image: string, init?: string, extra: object = {}) =>
  api.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      containers: [{ name: 'main', image }],
      ...(init === undefined ? {} : { initContainers: [{ name: 'runtime', image: init, restartPolicy: 'Always' }] }),
      ...extra,
    },
  });

const waitingReason = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason;

it('starts a Pod on a ready node and reports images as a runtime does', async () => {
  const digest = `registry.local/runtime@sha256:${'ab'.repeat(32)}`;
  await createPod('good', 'registry.local/code:v1', digest);
  await expect.poll(async () => (await read('good')).status?.phase, { timeout: 5000 }).toBe('Running');
  const { spec, status } = await read('good');
  expect(spec.nodeName).toMatch(/^worker-0[12]$/);
  expect(status?.podIP).toMatch(/^10\.244\./);
  expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
  expect(status?.containerStatuses?.[0]?.image).toBe('registry.local/code:v1');
  expect(status?.initContainerStatuses?.[0]?.image).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(status?.initContainerStatuses?.[0]?.imageID).toBe(digest);
});

it('leaves a Pod whose image cannot be pulled Pending, backing off', async () => {
  await createPod('unpullable', 'registry.local/bad:v1');
  await expect.poll(async () => waitingReason(await read('unpullable')), { timeout: 5000 }).toBe('ErrImagePull');
  await expect.poll(async () => waitingReason(await read('unpullable')), { timeout: 5000 }).toBe('ImagePullBackOff');
  expect((await read('unpullable')).status?.phase).toBe('Pending');
});

it('does not count a Pod as initialised whose init image cannot be pulled, and kubectl shows why', async () => {
  await createPod('uninitialised', 'registry.local/code:v1', 'registry.local/bad:v9');
  const conditionOf = async (type: string) =>
    (await read('uninitialised')).status?.conditions?.find((condition) => condition.type === type);
  await expect
    .poll(() => conditionOf('Initialized'), { timeout: 5000 })
    .toMatchObject({ status: 'False', reason: 'ContainersNotInitialized' });
  expect((await conditionOf('Initialized'))?.message).toBe('containers with incomplete status: [runtime]');
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const answer = await fetch(`${url}${path('uninitialised')}`, { headers: { accept } });
  const table = z.object({ rows: z.array(z.object({ cells: z.array(z.unknown()) })) }).parse(await answer.json());
  expect(table.rows[0]?.cells.slice(0, 3)).toEqual(['uninitialised', '0/2', 'Init:ErrImagePull']);
});

it('lets a crashing container exit and back off while the Pod counts as Running', async () => {
  await createPod('crashing', 'registry.local/crash:v1');
  await expect.poll(async () => waitingReason(await read('crashing')), { timeout: 5000 }).toBe('CrashLoopBackOff');
  const { status } = await read('crashing');
  expect(status?.phase).toBe('Running');
  expect(status?.containerStatuses?.[0]?.restartCount).toBe(2);
});

it('ends a Pod after its stop time, not after its grace period', async () => {
  await createPod('ending', 'registry.local/code:v1');
  await expect.poll(async () => (await read('ending')).status?.phase, { timeout: 5000 }).toBe('Running');
  await api.remove(path('ending'));
  await expect
    .poll(
      () =>
        read('ending').then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 5000 },
    )
    .toBe('gone');
});

it('marks a Pod that fits nowhere, and schedules it when a node fits', async () => {
  await createPod('picky', 'registry.local/code:v1', undefined, { nodeSelector: { disk: 'fast' } });
  const scheduled = async () => (await read('picky')).status?.conditions?.find(({ type }) => type === 'PodScheduled');
  await expect.poll(async () => (await scheduled())?.reason, { timeout: 5000 }).toBe('Unschedulable');
  const node = objectPath(resources.nodes, { metadata: { name: 'worker-01' } });
  await api.patch(node, { metadata: { labels: { disk: 'fast' } } });
  await expect.poll(async () => (await read('picky')).spec.nodeName, { timeout: 5000 }).toBe('worker-01');
});

it('restarts a container whose image was changed in place, under a new image id', async () => {
  await createPod('patched', 'registry.local/code:v1');
  await expect.poll(async () => (await read('patched')).status?.phase, { timeout: 5000 }).toBe('Running');
  const before = (await read('patched')).status?.containerStatuses?.[0]?.imageID;
  const body = { spec: { containers: [{ name: 'main', image: 'registry.local/code:v2' }] } };
  await api.patch(path('patched'), body, 'strategic');
  const now = async () => (await read('patched')).status?.containerStatuses?.[0];
  await expect.poll(async () => (await now())?.image, { timeout: 5000 }).toBe('registry.local/code:v2');
  expect((await now())?.imageID).not.toBe(before);
});

it('says that a node which was taken for lost is ready again when it starts', async () => {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const own = new Api(connection);
  await ensureNodes(own, 1);
  const node = objectPath(resources.nodes, { metadata: { name: 'worker-01' } });
  const lost = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' };
  await own.patch(`${node}/status`, { status: { conditions: [lost] } });
  const ending = new AbortController();
  const running = await runControllers({
    api: connection,
    signal: ending.signal,
    controllers: false,
    controlPlane: false,
  });
  const ready = async () =>
    nodeSchema.parse(await own.get(node)).status?.conditions?.find(({ type }) => type === 'Ready');
  await expect.poll(async () => (await ready())?.status).toBe('True');
  await running.stop();
  own.close();
  await server.close();
});

it('is told of by the scheduler in an event of the new kind: eventTime, no count, no source', async () => {
  await createPod('told', 'registry.local/code:v1');
  const events = async () => {
    const { items } = eventsSchema.parse(await api.get(collectionPath(resources.events, 'default')));
    return items.filter(({ involvedObject }) => involvedObject.name === 'told');
  };
  await expect.poll(async () => (await events()).length).toBe(1);
  const [event] = await events();
  expect(event).toMatchObject({ reason: 'Scheduled', reportingComponent: 'default-scheduler', source: {} });
  expect(event?.eventTime).toMatch(/^\d{4}-.*\.\d{6}Z$/);
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count']) expect(event?.[field] ?? null).toBeNull();
});

const eventsSchema = z.looseObject({
  items: z.array(
    z.looseObject({ eventTime: z.string().nullish(), involvedObject: z.looseObject({ name: z.string() }) }),
  ),
});
