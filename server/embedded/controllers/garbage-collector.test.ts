import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../apiserver/server';
import { Api } from './client/api';
import { objectSchema } from './client/objects';
import { collectionPath, objectPath, type Resource, resources } from './client/resources';
import { connectUrl } from './connect';
import { runControllers } from './run';

let server: ApiServer;
let api: Api;
let stop: () => Promise<void>;
beforeAll(async () => {
  server = await startApiServer({ port: 0 });
  api = new Api(connectUrl(server.url));
  const ending = new AbortController();
  const running = await runControllers({
    api: connectUrl(server.url),
    signal: ending.signal,
    controllers: false,
    kubelet: false,
  });
  stop = running.stop;
});
afterAll(async () => {
  await stop();
  api.close();
  await server.close();
});

const template = { spec: { containers: [{ name: 'a', image: 'a' }] } };

/** A set with one sandbox that it owns. */
async function family(name: string): Promise<{ set: string; sandbox: string }> {
  const create = async (resource: Resource, body: object) =>
    objectSchema.parse(
      await api.create(collectionPath(resource, 'default'), {
        apiVersion: 'agents.kruise.io/v1alpha1',
        kind: resource.kind,
        ...body,
      }),
    );
  const set = await create(resources.sandboxsets, { metadata: { name }, spec: { replicas: 0, template } });
  const owner = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name, uid: set.metadata.uid };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const sandbox = await create(resources.sandboxes, { metadata: { name, ownerReferences }, spec: { template } });
  return { set: objectPath(resources.sandboxsets, set), sandbox: objectPath(resources.sandboxes, sandbox) };
}

const there = (path: string) =>
  api.get(path).then(
    () => true,
    () => false,
  );

it('deletes what has lost its owner', async () => {
  const { set, sandbox } = await family('background');
  await api.remove(set);
  await expect.poll(() => there(sandbox), { timeout: 5000 }).toBe(false);
});

it('deletes dependents before an owner that is deleted in the foreground', async () => {
  const { set, sandbox } = await family('foreground');
  await api.patch(sandbox, { metadata: { finalizers: ['example.com/hold'] } });
  await api.remove(set, { propagationPolicy: 'Foreground' });
  const deleting = async () => objectSchema.parse(await api.get(sandbox)).metadata.deletionTimestamp !== undefined;
  await expect.poll(deleting, { timeout: 5000 }).toBe(true);
  expect(await there(set)).toBe(true);
  await api.patch(sandbox, { metadata: { finalizers: null } });
  await expect.poll(() => there(set), { timeout: 5000 }).toBe(false);
});

it('lets dependents of an orphaning owner stay, without the reference', async () => {
  const { set, sandbox } = await family('orphan');
  await api.remove(set, { propagationPolicy: 'Orphan' });
  await expect.poll(() => there(set), { timeout: 5000 }).toBe(false);
  expect(objectSchema.parse(await api.get(sandbox)).metadata.ownerReferences ?? []).toEqual([]);
});

it('deletes what is born with an owner that does not exist', async () => {
  const { set, sandbox } = await family('late');
  await api.remove(set);
  await expect.poll(() => there(sandbox), { timeout: 5000 }).toBe(false);
  const owner = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'late', uid: 'no-such-uid' };
  await api.create(collectionPath(resources.sandboxes, 'default'), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { name: 'late', ownerReferences: [owner] },
    spec: { template },
  });
  await expect.poll(() => there(sandbox), { timeout: 5000 }).toBe(false);
});

it('empties a namespace that is deleted, and lets it go', async () => {
  await api.create(collectionPath(resources.namespaces), { metadata: { name: 'doomed' } });
  const sandbox = { metadata: { name: 'last', namespace: 'doomed' } };
  await api.create(collectionPath(resources.sandboxes, 'doomed'), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    ...sandbox,
    spec: { template },
  });
  const namespace = objectPath(resources.namespaces, { metadata: { name: 'doomed' } });
  await api.remove(namespace);
  await expect.poll(() => there(namespace), { timeout: 5000 }).toBe(false);
  expect(await there(objectPath(resources.sandboxes, sandbox))).toBe(false);
});
