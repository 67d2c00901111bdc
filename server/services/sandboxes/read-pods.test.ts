import { afterEach, beforeEach, expect, it } from 'vitest';
import { Cluster } from '@/server/kube/cluster';
import { watched } from '@/server/kube/kinds';
import { FakeApiServer, fastTiming } from '@/server/kube/testing/fake-api-server';
import type { ViewQuestion } from '../live/view';
import { readPods } from './read-pods';

let api: FakeApiServer;
let cluster: Cluster;
const pod = (name: string, ownerUid: string) => ({
  metadata: {
    name,
    namespace: name === 'other' ? 'team-b' : 'team-a',
    uid: `pod-${name}`,
    ownerReferences: [{ kind: 'Sandbox', name, uid: ownerUid, controller: true }],
  },
});

beforeEach(async () => {
  api = await FakeApiServer.start(...Object.values(watched).map(({ path }) => path));
  for (const namespace of ['team-a', 'team-b']) {
    api.set(watched.namespaces.path, { metadata: { name: namespace, uid: namespace } });
  }
  for (const name of ['own', 'left', 'none', 'other']) {
    const namespace = name === 'other' ? 'team-b' : 'team-a';
    api.set(watched.sandboxes.path, { metadata: { name, namespace, uid: name }, status: { phase: 'Running' } });
  }
  for (const each of [pod('own', 'own'), pod('left', 'one-before'), pod('other', 'other')]) {
    api.set(watched.pods.path, each);
  }
  cluster = new Cluster(api.config(), fastTiming);
  cluster.start();
  await cluster.ready(10_000);
});
afterEach(async () => {
  cluster.stop();
  await api.stop();
});

const asked = ['own', 'left', 'none', 'other', 'gone'];
const question = (more: Partial<ViewQuestion> = {}): ViewQuestion => ({
  principal: { subject: 'operator', groups: [], impersonate: false },
  namespaces: undefined,
  scope: () => Promise.reject(new Error('the console itself needs no scope')),
  known: () => ['team-a', 'team-b'],
  answers: () => true,
  ...more,
});

it('tells the Pods of the sandboxes themselves, and no others', async () => {
  expect(await readPods(cluster, question(), asked)).toMatchObject({
    ok: true,
    value: { pods: { own: 'pod-own', other: 'pod-other' } },
  });
});

it('tells nothing of sandboxes that the person may not list', async () => {
  const principal = { subject: 'vera', groups: [], impersonate: true };
  const scope = async () => ({ maySee: (_: unknown, namespace?: string) => namespace === 'team-a' });
  const told = await readPods(cluster, question({ principal, scope }), asked);
  expect(told.ok && told.value.pods).toEqual({ own: 'pod-own' });
});
