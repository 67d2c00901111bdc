import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { objectSchema, type Sandbox, sandboxSchema, sandboxSetSchema } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import { annotation, label, scaleDownOwner } from '../rules/keys';
import { isReady } from '../rules/state';
import { startTestCluster } from '../testing';

let cluster: Awaited<ReturnType<typeof startTestCluster>>;
beforeAll(async () => {
  cluster = await startTestCluster();
});
afterAll(() => cluster.stop());

const namespace = 'default';
const path = (name: string, subresource?: string) =>
  objectPath(resources.sandboxsets, { metadata: { name, namespace } }, subresource);
const container = (image: string) => ({ name: 'main', image });
const listSchema = z.looseObject({ items: z.array(sandboxSchema) });

async function members(pool: string): Promise<Sandbox[]> {
  const selector = encodeURIComponent(`${label.pool}=${pool}`);
  return listSchema.parse(
    await cluster.api.get(`${collectionPath(resources.sandboxes, namespace)}?labelSelector=${selector}`),
  ).items;
}

async function fill(name: string, spec: { replicas: number; updateStrategy?: object }): Promise<Sandbox[]> {
  await cluster.api.create(collectionPath(resources.sandboxsets, namespace), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    metadata: { name },
    spec: { template: { spec: { containers: [container('code:v1')] } }, ...spec },
  });
  await expect.poll(async () => (await members(name)).filter(isReady).length).toBe(spec.replicas);
  return await members(name);
}

const annotate = (sandbox: Sandbox | undefined, annotations: Record<string, string | null>) =>
  cluster.api.patch(`${collectionPath(resources.sandboxes, namespace)}/${sandbox?.metadata.name}`, {
    metadata: { annotations },
  });

it('deletes a member that an earlier pass had locked in the pool’s name, and none that others hold', async () => {
  const [zombie, held] = await fill('locks', { replicas: 3 });
  await annotate(zombie, { [annotation.lock]: 'a', [annotation.owner]: scaleDownOwner });
  await annotate(held, { [annotation.lock]: 'b', [annotation.owner]: 'somebody' });
  await cluster.api.patch(path('locks', 'scale'), { spec: { replicas: 0 } });
  await expect
    .poll(async () => (await members('locks')).map(({ metadata }) => metadata.name))
    .toEqual([held?.metadata.name]);
});

it('does not count on the budget when the template changes again during a rollout', async () => {
  const slowly = { annotations: { 'sim.local/start-delay': '2s' } };
  await fill('twice', { replicas: 4, updateStrategy: { maxUnavailable: 1 } });
  const change = (image: string) =>
    cluster.api.patch(path('twice'), {
      spec: { template: { metadata: slowly, spec: { containers: [container(image)] } } },
    });
  const status = async () => sandboxSetSchema.parse(await cluster.api.get(path('twice'))).status;
  // Never ready: the one that is replaced stays away.
  await change('code:bad');
  await expect.poll(async () => (await members('twice')).filter((one) => !isReady(one)).length).toBe(1);
  await change('code:v3');
  await expect.poll(async () => (await members('twice')).filter(isReady).length).toBeLessThanOrEqual(2);
  await expect.poll(async () => (await status())?.updatedAvailableReplicas, { timeout: 20_000 }).toBe(4);
});

it('writes the numbers from before the pass under the new generation, and none that is zero', async () => {
  await fill('lag', { replicas: 1 });
  const seen: [current: boolean, replicas: number | undefined][] = [];
  const watching = new AbortController();
  const query = 'watch=true&resourceVersion=0&fieldSelector=metadata.name%3Dlag';
  const watch = cluster.api.watch(
    `${collectionPath(resources.sandboxsets, namespace)}?${query}`,
    watching.signal,
    60_000,
    (line) => {
      const { object } = z.looseObject({ object: sandboxSetSchema }).parse(JSON.parse(line));
      const { metadata, status } = object;
      if (metadata.generation === 2) seen.push([status?.observedGeneration === 2, status?.replicas]);
    },
  );
  await cluster.api.patch(path('lag', 'scale'), { spec: { replicas: 2 } });
  await expect.poll(() => seen.at(-1)).toEqual([true, 2]);
  watching.abort();
  await watch.catch(() => undefined);
  expect(seen.find(([current]) => current)).toEqual([true, 1]);
  await cluster.api.patch(path('lag', 'scale'), { spec: { replicas: 0 } });
  const status = async () => sandboxSetSchema.parse(await cluster.api.get(path('lag'))).status;
  await expect.poll(async () => (await status())?.replicas).toBe(0);
  await expect.poll(status).not.toHaveProperty('updatedReplicas');
});

it('says nothing of a pool without a template', async () => {
  await cluster.api.create(collectionPath(resources.sandboxsets, namespace), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxSet',
    metadata: { name: 'bare' },
    spec: { replicas: 1 },
  });
  // What another pool does meanwhile shows that there was time.
  await fill('beside', { replicas: 1 });
  expect(sandboxSetSchema.parse(await cluster.api.get(path('bare'))).status).toBeUndefined();
  expect(await members('bare')).toEqual([]);
});

it('marks the oldest of its templates past ten, and keeps them', async () => {
  await fill('edited', { replicas: 0 });
  const templates = z.looseObject({ items: z.array(objectSchema) });
  const own = async () => {
    const { items } = templates.parse(await cluster.api.get(collectionPath(resources.sandboxtemplates, namespace)));
    return items.filter(({ metadata }) => metadata.name.startsWith('edited-'));
  };
  for (let number = 1; number <= 12; number += 1) {
    const change = { template: { spec: { containers: [container(`code:v${number}`)] } } };
    await cluster.api.patch(path('edited'), { spec: change });
    await expect.poll(async () => (await own()).length).toBe(number);
  }
  const marked = async () =>
    (await own()).filter(({ metadata }) => metadata.annotations?.[annotation.cleanupCandidate] === 'true');
  await expect.poll(async () => (await marked()).length).toBe(2);
  expect(await own()).toHaveLength(12);
});
