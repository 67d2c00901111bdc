import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '../client/api';
import { type SandboxClaim, sandboxClaimSchema, sandboxSchema } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import { annotation, label } from '../rules/keys';
import { startTestCluster } from '../testing';

let cluster: Awaited<ReturnType<typeof startTestCluster>>;
const namespace = 'claims';

const createPool = (name: string, replicas: number) =>
  cluster.api.create(collectionPath(resources.sandboxsets, namespace), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    metadata: { name },
    spec: { replicas, template: { spec: { containers: [{ name: 'main', image: 'registry.local/code:v1' }] } } },
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
  const selector = encodeURIComponent(`${label.claimName}=on-demand`);
  const { items } = (await cluster.api.get(
    `${collectionPath(resources.sandboxes, namespace)}?labelSelector=${selector}`,
  )) as { items: unknown[] };
  const made = sandboxSchema.parse(items[0]);
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
