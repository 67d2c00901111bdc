import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clusterConfig } from './config';
import { emptyEnvironment, FakeApiServer } from './testing/fake-api-server';

let api: FakeApiServer;
beforeEach(async () => {
  api = await FakeApiServer.start();
});
afterEach(() => api.stop());

const configOf = (more: object) => clusterConfig({ ...emptyEnvironment, ...more });

it('names the cluster by its context, and the simulator by what it is', () => {
  const file = api.kubeconfig();
  expect(configOf({ CONSOLE_KUBECONFIG: file })).toMatchObject({
    name: 'fake',
    embedded: false,
    server: new URL(api.url),
  });
  expect(configOf({ CONSOLE_KUBECONFIG: file, CONSOLE_EMBEDDED: true })).toMatchObject({
    name: 'embedded',
    embedded: true,
  });
});

it('uses the Pod’s own configuration only when nothing else was asked for', () => {
  const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  process.env.KUBERNETES_SERVICE_HOST = '10.0.0.1';
  process.env.KUBERNETES_SERVICE_PORT = '443';
  try {
    expect(configOf(pod)).toMatchObject({ name: 'in-cluster', server: new URL('https://10.0.0.1') });
    expect(configOf({ ...pod, CONSOLE_KUBECONFIG: api.kubeconfig() }).name).toBe('fake');
    expect(() => configOf({ ...pod, CONSOLE_KUBECONFIG: '/nowhere/config' })).toThrow('/nowhere/config cannot be read');
  } finally {
    delete process.env.KUBERNETES_SERVICE_HOST;
    delete process.env.KUBERNETES_SERVICE_PORT;
  }
});

it('says what to do when there is no cluster', () => {
  expect(() => configOf({})).toThrow('Set CONSOLE_KUBECONFIG');
  expect(() => configOf({ CONSOLE_CONTEXT: 'prod' })).toThrow('CONSOLE_CONTEXT is prod, but no CONSOLE_KUBECONFIG');
});

it('never takes another context than the one asked for', () => {
  const file = api.kubeconfig();
  expect(() => configOf({ CONSOLE_KUBECONFIG: file, CONSOLE_CONTEXT: 'prod' })).toThrow(
    'has no context prod. It has: fake.',
  );
});

it('refuses files that name no server', () => {
  const file = api.file('broken');
  writeFileSync(
    file,
    'apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: gone, user: u}}]\n',
  );
  expect(() => configOf({ CONSOLE_KUBECONFIG: file })).toThrow('Context a');
  writeFileSync(file, '{ not yaml');
  expect(() => configOf({ CONSOLE_KUBECONFIG: file })).toThrow('cannot be read');
});
