import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { label } from '../rules/keys';
import { reason, startSandboxTests } from './testing';

// A cluster on a machine that is busy with others takes its time: what ends a wait is that something has come true.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let tests: Awaited<ReturnType<typeof startSandboxTests>>;
beforeAll(async () => {
  tests = await startSandboxTests();
});
afterAll(() => tests.stop());

const template = (image: string, resources: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { containers: [{ name: 'main', image, resources }] },
});
const observed = (name: string) =>
  tests.until(name, ({ metadata, status }) => status?.observedGeneration === metadata.generation);

it('changes one image in the Pod that is there, and refuses everything after that, labels too', async () => {
  await tests.running('twice', { template: template('code:v1') });
  const first = await tests.pod('twice');
  await tests.change('twice', { spec: { template: template('code:v2') } });
  await observed('twice');
  await tests.until('twice', (sandbox) => reason(sandbox, 'InplaceUpdate') === 'Succeeded');
  const second = await tests.pod('twice');
  expect(second.status?.containerStatuses?.[0]?.image).toBe('code:v2');
  expect(second.metadata.uid).toBe(first.metadata.uid);
  expect(second.spec.containers?.[0]?.image).toBe('code:v2');
  await tests.change('twice', { spec: { template: template('code:v2', {}, { labels: { later: 'yes' } }) } });
  await observed('twice');
  const third = await tests.pod('twice');
  expect(third.metadata.labels?.[label.podTemplateHash]).toBe(second.metadata.labels?.[label.podTemplateHash]);
  expect(third.metadata.labels).not.toHaveProperty('later');
  await expect
    .poll(() => tests.events('twice'))
    .toContain('InplaceUpdateForbidden: currently, multiple in-place updates are not supported');
});

it('writes labels alone into the Pod, without a word', async () => {
  await tests.running('labelled', { template: template('code:v1') });
  const { status } = await tests.until('labelled', (sandbox) => reason(sandbox, 'InplaceUpdate') === 'Succeeded');
  const since = status?.conditions;
  await tests.change('labelled', { spec: { template: template('code:v1', {}, { labels: { team: 'red' } }) } });
  await expect.poll(async () => (await tests.pod('labelled')).metadata.labels?.team).toBe('red');
  await observed('labelled');
  expect((await tests.read('labelled')).status?.conditions).toEqual(since);
});

it('refuses a size that would change the class of service, and stays ready', async () => {
  const small = { requests: { cpu: '1' }, limits: { cpu: '2' } };
  await tests.running('classy', { template: template('code:v1', small) });
  const guaranteed = { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } };
  await tests.change('classy', { spec: { template: template('code:v1', guaranteed) } });
  const sandbox = await tests.until('classy', (it) => reason(it, 'InplaceUpdate') === 'Failed');
  expect(sandbox.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  await expect
    .poll(() => tests.events('classy'))
    .toContain(
      'InplaceUpdateFailed: resource resize would change QoS class from Burstable to Guaranteed, resize rejected',
    );
});

const sized = (cpu: string) =>
  template('code:v1', { requests: { cpu, memory: '1Gi' }, limits: { cpu: '4', memory: '2Gi' } });

it('gives the containers of the Pod that is there another size', async () => {
  await tests.running('grown', { template: sized('1') });
  const before = await tests.pod('grown');
  await tests.change('grown', { spec: { template: sized('2') } });
  await tests.until('grown', (it) => it.status?.observedGeneration === it.metadata.generation);
  await tests.until('grown', (it) => reason(it, 'InplaceUpdate') === 'Succeeded' && reason(it, 'Ready') === 'PodReady');
  const after = await tests.pod('grown');
  expect(after.metadata.uid).toBe(before.metadata.uid);
  const wanted = { requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '4', memory: '2Gi' } };
  expect(after.spec.containers?.[0]?.resources).toEqual(wanted);
  expect(after.status?.containerStatuses?.[0]?.resources).toEqual(wanted);
});

it('fails where the node is too small for the new size', async () => {
  const huge = (cpu: string) => template('code:v1', { requests: { cpu } });
  await tests.running('huge', { template: huge('1') });
  await tests.change('huge', { spec: { template: huge('1000') } });
  const sandbox = await tests.until('huge', (it) => reason(it, 'InplaceUpdate') === 'Failed');
  expect(JSON.stringify(sandbox.status?.conditions)).toContain(
    "in-place resource resize failed: pod resize is infeasible: Node didn't have enough capacity: cpu",
  );
});

it('gives up for good where the cluster cannot resize Pods', async () => {
  await tests.running('bigger', { template: sized('1') });
  // Before Kubernetes 1.33 Pods have no such subresource, and their sizes are fixed.
  tests.server.setFault(({ url }) => (url.includes('/bigger/resize') ? { status: 404 } : undefined));
  await tests.change('bigger', { spec: { template: sized('2') } });
  const sandbox = await tests.until('bigger', (it) => reason(it, 'InplaceUpdate') === 'Failed');
  expect(JSON.stringify(sandbox.status?.conditions)).toContain('in-place pod resize not supported');
  tests.server.setFault(undefined);
});
