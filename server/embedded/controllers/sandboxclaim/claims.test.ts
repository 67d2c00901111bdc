import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../client/api';
import { podSchema, type Sandbox, type SandboxClaim, sandboxClaimSchema, sandboxSchema } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import { annotation, label } from '../rules/keys';
import { startTestCluster } from '../testing';

let cluster: Awaited<ReturnType<typeof startTestCluster>>;
const namespace = 'claims';

const main = {
  name: 'main',
  image: 'registry.local/code:v1',
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: 2, memory: '1Gi' } },
};
const runtime = { name: 'runtime', image: 'registry.local/runtime:v1' };

const createPool = (name: string, replicas: number, podSpec: object = { initContainers: [runtime] }) =>
  cluster.api.create(collectionPath(resources.sandboxsets, namespace), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    metadata: { name },
    spec: { replicas, template: { spec: { containers: [main], ...podSpec } } },
  });

const claim = (name: string, spec: object) =>
  cluster.api.create(collectionPath(resources.sandboxclaims, namespace), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxClaim',
    metadata: { name },
    spec,
  });

const path = (name: string) => objectPath(resources.sandboxclaims, { metadata: { name, namespace } });
const read = async (name: string): Promise<SandboxClaim> => sandboxClaimSchema.parse(await cluster.api.get(path(name)));

function ended(name: string, reason: string) {
  const reasons = async () => ((await read(name)).status?.conditions ?? []).map((condition) => condition.reason);
  return expect.poll(reasons, { timeout: 10_000 }).toContain(reason);
}

const listSchema = z.looseObject({ items: z.array(sandboxSchema) });
async function takenBy(name: string): Promise<Sandbox> {
  const selector = encodeURIComponent(`${label.claimName}=${name}`);
  const path = `${collectionPath(resources.sandboxes, namespace)}?labelSelector=${selector}`;
  const { items } = listSchema.parse(await cluster.api.get(path));
  return sandboxSchema.parse(items[0]);
}

async function eventsOf(name: string): Promise<string[]> {
  const events = z.looseObject({
    items: z.array(z.looseObject({ reason: z.string(), involvedObject: z.looseObject({ name: z.string() }) })),
  });
  const { items } = events.parse(await cluster.api.get(collectionPath(resources.events, namespace)));
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason);
}

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.api.create(collectionPath(resources.namespaces), { metadata: { name: namespace } });
});
afterAll(() => cluster.stop());

it('makes a sandbox for the claim when the pool is empty', async () => {
  await createPool('none', 0);
  await claim('on-demand', { templateName: 'none', replicas: 1 });
  await ended('on-demand', 'AllReplicasClaimed');
  const { metadata } = await read('on-demand');
  const made = await takenBy('on-demand');
  expect(made.metadata.annotations).toMatchObject({ [annotation.owner]: metadata.uid, [annotation.priority]: '100' });
  expect(made.metadata.labels).not.toHaveProperty(label.templateHash);
});

it('runs into its deadline, and keeps what it got', async () => {
  await createPool('short', 0);
  await claim('late', { templateName: 'short', replicas: 2, createOnNoStock: false, claimTimeout: '1s' });
  await ended('late', 'ClaimTimeoutReached');
  expect((await read('late')).status).toMatchObject({ phase: 'Completed', claimedReplicas: 0 });
});

it('ends at once when there is no such pool', async () => {
  await claim('lost', { templateName: 'nowhere' });
  await ended('lost', 'SandboxSetNotFound');
  expect((await read('lost')).status).not.toHaveProperty('observedGeneration');
});

it('goes some time after its end', async () => {
  await createPool('brief', 1);
  await claim('gone', { templateName: 'brief', ttlAfterCompleted: '1s' });
  const code = () =>
    read('gone').then(
      () => 200,
      (error) => (error instanceof ApiError ? error.code : 0),
    );
  await expect.poll(code, { timeout: 10_000 }).toBe(404);
});

it('keeps a sandbox whose runtime did not start when asked to, and does not count it', async () => {
  await createPool('broken', 1);
  const annotations = { 'agents.kruise.io/runtime-url': 'http://127.0.0.1:1' };
  await claim('kept', { templateName: 'broken', annotations, reserveFailedSandbox: true, claimTimeout: '4s' });
  await ended('kept', 'ClaimTimeoutReached');
  expect((await read('kept')).status?.claimedReplicas).toBe(0);
}, 20_000);

it('initialises only where there is a runtime', async () => {
  await createPool('plain', 1, {});
  await claim('bare', { templateName: 'plain' });
  await ended('bare', 'AllReplicasClaimed');
  expect((await takenBy('bare')).metadata.annotations).not.toHaveProperty([annotation.initRequest]);
});

it('changes the image of the first container in place, and waits until it runs', async () => {
  await createPool('imaged', 1);
  await expect.poll(async () => (await free('imaged'))?.status?.podInfo?.podUID).toBeDefined();
  const before = await free('imaged');
  await claim('newer', { templateName: 'imaged', inplaceUpdate: { image: 'registry.local/code:v2' } });
  await ended('newer', 'AllReplicasClaimed');
  const sandbox = await takenBy('newer');
  const pod = podSchema.parse(await cluster.api.get(objectPath(resources.pods, sandbox)));
  expect(pod.metadata.uid).toBe(before?.status?.podInfo?.podUID);
  expect(pod.status?.containerStatuses?.[0]?.image).toBe('registry.local/code:v2');
  expect(sandbox.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'InplaceUpdate', status: 'True', reason: 'Succeeded' }),
  );
});

it('asks for cpu where the container has some, and for nothing else; its Pod grows', async () => {
  await createPool('sized', 1);
  await expect.poll(async () => (await free('sized'))?.status?.podInfo?.podUID).toBeDefined();
  const wanted = { requests: { cpu: '1500m', memory: '2Gi' } };
  await claim('bigger', { templateName: 'sized', inplaceUpdate: { resources: wanted } });
  await ended('bigger', 'AllReplicasClaimed');
  const sandbox = await takenBy('bigger');
  const grown = { requests: { cpu: '1500m', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } };
  expect(sandbox.spec.template?.spec?.containers?.[0]?.resources).toEqual(grown);
  const pod = podSchema.parse(await cluster.api.get(objectPath(resources.pods, sandbox)));
  expect(pod.status?.containerStatuses?.[0]?.resources).toEqual(grown);
  expect(sandbox.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'InplaceUpdate', status: 'True', reason: 'Succeeded' }),
  );
});

it('takes nothing for a claim that cannot be served as it is', async () => {
  await createPool('idle', 1);
  const templateName = 'idle';
  const impossible = {
    'reserved-key': { labels: { 'agents.kruise.io/sandbox-id': 'mine' } },
    'no-volume': { dynamicVolumesMount: [{ pvName: 'nowhere', mountPath: '/data' }] },
    'no-cpu': { inplaceUpdate: { resources: { requests: { cpu: '0' } } } },
  };
  for (const [name, spec] of Object.entries(impossible))
    await claim(name, { templateName, claimTimeout: '1s', ...spec });
  for (const name of Object.keys(impossible)) {
    await ended(name, 'ClaimTimeoutReached');
    expect(await eventsOf(name)).toEqual(['NoAvailableSandboxes']);
  }
  expect((await free('idle'))?.metadata.annotations).not.toHaveProperty([annotation.lock]);
});

it('mounts volumes, and again when the sandbox resumes, as long as they are there', async () => {
  await createPool('stored', 1);
  const csi = { driver: 'example.com', volumeHandle: 'v' };
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany'], csi };
  await cluster.api.create(collectionPath(resources.persistentvolumes), { metadata: { name: 'vol' }, spec });
  const dynamicVolumesMount = [{ mountID: 'm', pvName: 'vol', mountPath: '/data' }];
  await claim('mounted', { templateName: 'stored', dynamicVolumesMount });
  await ended('mounted', 'AllReplicasClaimed');
  const { metadata } = await takenBy('mounted');
  expect(JSON.parse(metadata.annotations?.[annotation.csiVolumes] ?? '')).toEqual(dynamicVolumesMount);
  const wants = (paused: boolean) =>
    cluster.api.patch(objectPath(resources.sandboxes, { metadata }), { spec: { paused } });
  const condition = async (type: string) =>
    (await takenBy('mounted')).status?.conditions?.find((one) => one.type === type);
  await wants(true);
  await expect.poll(async () => (await condition('SandboxPaused'))?.status).toBe('True');
  const path = objectPath(resources.persistentvolumes, { metadata: { name: 'vol' } });
  await cluster.api.remove(path);
  await expect.poll(() => cluster.api.get(path).catch(String)).toContain('not found');
  await wants(false);
  await expect.poll(async () => (await condition('RuntimeInitialized'))?.reason).toBe('Failed');
  expect((await condition('RuntimeInitialized'))?.message).toContain(
    'failed to generate csi mount options config for sandbox, err: failed to get persistent volume object by name: vol',
  );
});

/** A member of the pool that nobody has taken. */
async function free(pool: string): Promise<Sandbox | undefined> {
  const selector = encodeURIComponent(`${label.pool}=${pool},${label.claimed}=false`);
  const path = `${collectionPath(resources.sandboxes, namespace)}?labelSelector=${selector}`;
  return listSchema.parse(await cluster.api.get(path)).items[0];
}
