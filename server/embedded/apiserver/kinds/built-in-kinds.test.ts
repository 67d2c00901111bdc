import { afterEach, beforeEach, expect, it } from 'vitest';
import { fieldsOf, listOf } from '../core/objects';
import { type ApiServer, startApiServer } from '../server';
import { AGENTS, openWatch, pod, sandbox, send, summary } from '../testing';

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer();
});

afterEach(() => server.close());

const CORE = '/api/v1/namespaces/default';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';

const call = (method: string, path: string, body?: unknown) => send(`${server.url}${path}`, method, body);

it('events are the same ones in both groups, each in its shape', async () => {
  const watch = await openWatch(`${server.url}${EVENTS}?watch=1&fieldSelector=regarding.name%3Dweb`);
  await call('POST', `${CORE}/events`, {
    metadata: { name: 'one' },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
    message: 'it happened',
    count: 3,
  });
  const shown = { regarding: { name: 'web' }, note: 'it happened', deprecatedCount: 3, apiVersion: 'events.k8s.io/v1' };
  expect((await call('GET', `${EVENTS}/one`)).body).toMatchObject(shown);
  expect((await watch.until(1))[0]?.object).toMatchObject(shown);
  const other = { metadata: { name: 'two' }, regarding: { name: 'web' }, note: 'again', reportingController: 'x' };
  expect((await call('POST', EVENTS, other)).body).toMatchObject({ ...other, apiVersion: 'events.k8s.io/v1' });
  expect((await call('GET', `${CORE}/events/two`)).body).toMatchObject({
    apiVersion: 'v1',
    involvedObject: { name: 'web' },
    message: 'again',
    reportingComponent: 'x',
    source: {},
  });
  await call('PATCH', `${EVENTS}/two`, { note: 'once more' });
  await call('DELETE', `${EVENTS}/two`);
  const seen = await watch.until(4);
  expect(summary(seen)).toEqual(['ADDED one', 'ADDED two', 'MODIFIED two', 'DELETED two']);
  expect(seen[3]?.object).toMatchObject({ note: 'once more' });
  const list = (await call('GET', `${EVENTS}?fieldSelector=involvedObject.name%3Dweb`)).body;
  expect(list).toMatchObject({ code: 400, message: 'field label not supported: involvedObject.name' });
  watch.stop();
});

it('a quota refuses what is one too many, and says what is used', async () => {
  const quota = { metadata: { name: 'few' }, spec: { hard: { pods: '1', 'count/sandboxes.agents.kruise.io': '1' } } };
  await call('POST', `${CORE}/resourcequotas`, quota);
  await call('POST', `${CORE}/pods`, pod('a'));
  expect(await call('POST', `${CORE}/pods`, pod('b'))).toMatchObject({
    status: 403,
    body: {
      reason: 'Forbidden',
      message: 'pods "b" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1',
      details: { name: 'b', kind: 'pods' },
    },
  });
  const used = async () => fieldsOf((await call('GET', `${CORE}/resourcequotas/few`)).body, 'status').used;
  expect(await used()).toEqual({ pods: '1', 'count/sandboxes.agents.kruise.io': '0' });
  expect((await call('POST', `${AGENTS}/sandboxes`, sandbox('s'))).status).toBe(201);
  expect((await call('POST', `${AGENTS}/sandboxes`, sandbox('t'))).body.message).toMatch(/exceeded quota: few/);
  await call('DELETE', `${CORE}/pods/a`);
  expect(await used()).toEqual({ pods: '0', 'count/sandboxes.agents.kruise.io': '1' });
  expect((await call('POST', `${CORE}/pods`, pod('b'))).status).toBe(201);
});

it('a secret keeps plain texts encoded', async () => {
  const secret = { metadata: { name: 's' }, stringData: { key: 'word' } };
  const created = await call('POST', `${CORE}/secrets`, secret);
  expect(created.body).toMatchObject({ type: 'Opaque', data: { key: 'd29yZA==' } });
  expect(created.body).not.toHaveProperty('stringData');
});

it('every kind is in discovery with its subresources', async () => {
  const names = async (path: string) =>
    listOf((await call('GET', path)).body, 'resources').map((each) => fieldsOf({ each }, 'each').name);
  const core = await names('/api/v1');
  for (const name of [
    'resourcequotas',
    'persistentvolumeclaims',
    'pods/eviction',
    'pods/log',
    'serviceaccounts/token',
  ]) {
    expect(core).toContain(name);
  }
  expect(await names('/apis/rbac.authorization.k8s.io/v1')).toHaveLength(4);
  expect(await names('/apis/events.k8s.io/v1')).toEqual(['events']);
  const agents = (await names('/apis/agents.kruise.io/v1alpha1')).filter((name) => !String(name).includes('/'));
  expect(agents).toHaveLength(11);
});

it('an eviction deletes the pod it names', async () => {
  await call('POST', `${CORE}/pods`, pod('a'));
  const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  expect((await call('POST', `${CORE}/pods/a/eviction`, eviction('b'))).status).toBe(400);
  expect((await call('POST', `${CORE}/pods/a/eviction`, eviction('a'))).status).toBe(201);
  expect((await call('GET', `${CORE}/pods/a`)).status).toBe(404);
});

it('publishes the fields of built-in kinds, which kubectl explains and merges by', async () => {
  const { body } = await call('GET', '/openapi/v3/api/v1');
  const schemas = fieldsOf(body, 'components', 'schemas');
  const of = (name: string) => fieldsOf({ schema: schemas[`io.k8s.api.core.v1.${name}`] }, 'schema', 'properties');
  expect(of('ConfigMap')).toMatchObject({ data: { type: 'object' } });
  expect(of('PodSpec')).toMatchObject({ containers: { 'x-kubernetes-patch-merge-key': 'name' } });
});

it('refuses fields that a built-in kind does not have, however deep they are', async () => {
  const typo = { ...pod('web'), spec: { containers: [{ name: 'a', image: 'a', imagee: 'b' }] } };
  const { status, body } = await call('POST', `${CORE}/pods?fieldValidation=Strict`, typo);
  expect(status).toBe(400);
  expect(body.message).toContain('unknown field "spec.containers[0].imagee"');
});

it('adds up what containers ask for, and refuses what is more than a quota has', async () => {
  const hard = { 'requests.cpu': '1', 'limits.memory': '1Gi' };
  await call('POST', `${CORE}/resourcequotas`, { metadata: { name: 'compute' }, spec: { hard } });
  const using = (name: string, cpu: string, memory: string) => ({
    ...pod(name),
    spec: { containers: [{ name: 'a', image: 'a', resources: { requests: { cpu }, limits: { memory } } }] },
  });
  expect((await call('POST', `${CORE}/pods`, using('one', '0.6', '512Mi'))).status).toBe(201);
  const { body } = await call('GET', `${CORE}/resourcequotas/compute`);
  expect(fieldsOf(body, 'status')).toEqual({ hard, used: { 'requests.cpu': '600m', 'limits.memory': '512Mi' } });
  expect((await call('POST', `${CORE}/pods`, using('two', '500m', '1Mi'))).body.message).toBe(
    'pods "two" is forbidden: exceeded quota: compute, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
  );
  expect((await call('POST', `${CORE}/pods`, pod('silent'))).body.message).toBe(
    'pods "silent" is forbidden: failed quota: compute: must specify limits.memory for: sandbox; requests.cpu for: sandbox',
  );
});
