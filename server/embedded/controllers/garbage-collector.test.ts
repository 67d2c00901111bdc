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

const SANDBOX = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox' };
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';

const crd = (plural: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
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
  await expect.poll(() => there(sandbox)).toBe(false);
});

it('deletes dependents before an owner that is deleted in the foreground', async () => {
  const { set, sandbox } = await family('foreground');
  await api.patch(sandbox, { metadata: { finalizers: ['example.com/hold'] } });
  await api.remove(set, { propagationPolicy: 'Foreground' });
  const deleting = async () => objectSchema.parse(await api.get(sandbox)).metadata.deletionTimestamp !== undefined;
  await expect.poll(deleting).toBe(true);
  expect(await there(set)).toBe(true);
  await api.patch(sandbox, { metadata: { finalizers: null } });
  await expect.poll(() => there(set)).toBe(false);
});

it('lets dependents of an orphaning owner stay, without the reference', async () => {
  const { set, sandbox } = await family('orphan');
  await api.remove(set, { propagationPolicy: 'Orphan' });
  await expect.poll(() => there(set)).toBe(false);
  expect(objectSchema.parse(await api.get(sandbox)).metadata.ownerReferences ?? []).toEqual([]);
});

it('deletes what is born with an owner that does not exist', async () => {
  const { set, sandbox } = await family('late');
  await api.remove(set);
  await expect.poll(() => there(sandbox)).toBe(false);
  const owner = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'late', uid: 'no-such-uid' };
  await api.create(collectionPath(resources.sandboxes, 'default'), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { name: 'late', ownerReferences: [owner] },
    spec: { template },
  });
  await expect.poll(() => there(sandbox)).toBe(false);
});

it('deletes kinds that nobody else watches: config maps, secrets and service accounts', async () => {
  const { set, sandbox } = await family('data');
  const { metadata } = objectSchema.parse(await api.get(sandbox));
  const ownerReferences = [{ ...SANDBOX, name: 'data', uid: metadata.uid }];
  const paths = ['configmaps', 'secrets', 'serviceaccounts'].map((plural) => `/api/v1/namespaces/default/${plural}`);
  for (const path of paths) await api.create(path, { metadata: { name: 'data', ownerReferences } });
  await api.remove(set);
  for (const path of paths) await expect.poll(() => there(`${path}/data`)).toBe(false);
});

it('collects by and for a kind that is added while it runs, and takes along what it owned when it goes', async () => {
  const definition = await api.create(DEFINITIONS, crd('things'));
  await expect.poll(() => there(THINGS)).toBe(true);
  const own = async (name: string) => {
    const owner = await api.create(THINGS, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } });
    const { uid } = objectSchema.parse(owner).metadata;
    return [{ apiVersion: 'example.com/v1', kind: 'Thing', name, uid }];
  };
  const configMap = (name: string) => `/api/v1/namespaces/default/configmaps/${name}`;
  const first = await own('first');
  await api.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'of-first', ownerReferences: first } });
  await api.create(THINGS, {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'child', ownerReferences: first },
  });
  await api.remove(`${THINGS}/first`);
  await expect.poll(() => there(configMap('of-first'))).toBe(false);
  await expect.poll(() => there(`${THINGS}/child`)).toBe(false);

  const ownerReferences = await own('second');
  await api.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'of-second', ownerReferences } });
  await api.remove(`${DEFINITIONS}/${objectSchema.parse(definition).metadata.name}`);
  await expect.poll(() => there(configMap('of-second'))).toBe(false);
});

it('leaves alone what names an owner of a kind that is not served', async () => {
  const path = '/api/v1/namespaces/default/configmaps';
  const ownerReferences = [{ apiVersion: 'nowhere.example/v1', kind: 'Ghost', name: 'g', uid: 'ghost' }];
  await api.create(path, { metadata: { name: 'haunted', ownerReferences } });
  const { set, sandbox } = await family('after');
  await api.remove(set);
  await expect.poll(() => there(sandbox)).toBe(false);
  expect(await there(`${path}/haunted`)).toBe(true);
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
  await expect.poll(() => there(namespace)).toBe(false);
  expect(await there(objectPath(resources.sandboxes, sandbox))).toBe(false);
});
