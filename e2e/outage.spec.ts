import type { Locator, Page } from '@playwright/test';
import { resources } from '../server/embedded/controllers/client/resources';
import type { Cluster } from './setup/cluster';
import {
  agentsPath,
  claim,
  createPool,
  isTrue,
  podList,
  poolList,
  type Sandbox,
  sandboxesOf,
  sandboxList,
  setPaused,
} from './setup/objects';
import { grid, readRows, rowOf } from './setup/table';
import { expect, test } from './setup/test';

test.afterEach(({ cluster }) => cluster.bringBack());

/** The state that the list shows for a sandbox at rest; any other phase stays as the cluster has it. */
function stateAtRest(sandbox: Sandbox): string {
  const phase = sandbox.status?.phase ?? '';
  if (sandbox.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (phase === 'Paused' && isTrue(sandbox, 'SandboxPaused')) return 'Paused';
  if (phase !== 'Running' || !isTrue(sandbox, 'Ready')) return `not at rest: ${phase}`;
  return sandbox.metadata.ownerReferences?.some(({ kind }) => kind === 'SandboxSet') ? 'Available' : 'Running';
}

const byName = <T extends { name: string }>(rows: T[]): T[] => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function sandboxesInCluster(cluster: Cluster, namespace: string) {
  const { items } = sandboxList.parse(await cluster.list(namespace, resources.sandboxes));
  const pods = podList.parse(await cluster.list(namespace, resources.pods)).items;
  return byName(
    items.map((sandbox) => ({
      name: sandbox.metadata.name,
      state: stateAtRest(sandbox),
      node: pods.find((pod) => pod.metadata.name === sandbox.metadata.name)?.spec.nodeName ?? '–',
      pool: sandbox.metadata.labels?.['agents.kruise.io/sandbox-pool'] ?? '–',
    })),
  );
}

async function sandboxesOnScreen(page: Page) {
  const rows = await readRows(grid(page, 'Sandboxes'));
  return byName(
    rows.map((row) => ({
      name: row.Name ?? '',
      state: row.State ?? '',
      node: row.Node ?? '',
      pool: row.Pool ?? '',
    })),
  );
}

async function poolsInCluster(cluster: Cluster, namespace: string) {
  const { items } = poolList.parse(await cluster.list(namespace, resources.sandboxsets));
  return byName(
    items.map(({ metadata, spec, status }) => ({
      name: `${metadata.name}${namespace}`,
      stock: `${status?.availableReplicas ?? 0} / ${spec.replicas}`,
    })),
  );
}

async function poolsOnScreen(page: Page) {
  const rows = await readRows(grid(page, 'Pools'));
  return byName(rows.map((row) => ({ name: row.Pool ?? '', stock: row['Available / desired'] ?? '' })));
}

const chip = (page: Page): Locator => page.getByRole('button', { name: /^Freshness: / });

test('the API server is killed and comes back: the page says so, gates writes, and then shows what is there @fault', async ({
  page,
  context,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  const { api } = cluster;
  await createPool(api, namespace, 'kept', { replicas: 4 });
  await createPool(api, namespace, 'dropped', { replicas: 2 });
  const pools = await context.newPage();
  await page.goto(`/sandboxes?ns=${namespace}`);
  await pools.goto(`/pools?ns=${namespace}`);
  await expect.poll(() => sandboxesOnScreen(page)).toHaveLength(6);
  await expect(chip(page)).toHaveAccessibleName(/Live/);
  const list = grid(page, 'Sandboxes');
  await expect(list.getByText('Available')).toHaveCount(6);
  const before = await sandboxesOnScreen(page);
  const ink = () =>
    list
      .getByText('Available')
      .first()
      .evaluate((text) => getComputedStyle(text).color);
  const inkOfLive = await ink();

  await cluster.takeDown();
  for (const each of [page, pools]) {
    await expect(chip(each)).toHaveAccessibleName(/Reconnecting, data from \d/, { timeout: 30_000 });
    await expect(each.getByText(/^Reconnecting\. Data from .+ Actions need a refresh first\.$/)).toBeVisible();
  }
  expect(await sandboxesOnScreen(page)).toEqual(before);
  expect(await ink()).not.toBe(inkOfLive);
  await pools.getByRole('button', { name: 'Actions for kept' }).click();
  await pools.getByRole('menuitem', { name: 'Scale…' }).click();
  const drawer = pools.getByRole('dialog', { name: 'Scale kept' });
  await drawer.getByRole('textbox', { name: 'Unclaimed sandboxes wanted' }).fill('5');
  // Until data is 15 seconds old it may be acted on, and the API server that is gone refuses; then nobody may try.
  await expect(drawer.getByRole('button', { name: 'Refresh and retry' })).toBeVisible({ timeout: 30_000 });
  await expect(drawer.getByRole('button', { name: /^Scale to/ })).toHaveCount(0);
  await drawer.getByRole('button', { name: 'Cancel' }).click();

  // Meanwhile others reach the cluster another way.
  await createPool(api, namespace, 'added', { replicas: 2 });
  await api.remove(agentsPath(namespace, 'sandboxsets', 'dropped'));
  await claim(api, namespace, 'kept', 1, { team: 'outage' });
  await expect.poll(async () => (await sandboxesOf(api, namespace, 'team=outage')).length).toBe(1);
  const [session] = await sandboxesOf(api, namespace, 'team=outage');
  await setPaused(api, namespace, session?.metadata.name ?? '', true);
  const atRest = async () => (await sandboxesInCluster(cluster, namespace)).map(({ state }) => state).toSorted();
  await expect
    .poll(atRest, { timeout: 30_000 })
    .toEqual(['Available', 'Available', 'Available', 'Available', 'Available', 'Available', 'Paused']);
  expect(await sandboxesOnScreen(page)).toEqual(before);

  await cluster.bringBack();
  for (const each of [page, pools]) await expect(chip(each)).toHaveAccessibleName(/Live/, { timeout: 45_000 });
  await expect(page.getByText(/Actions need a refresh first/)).toHaveCount(0);
  expect(await ink()).toBe(inkOfLive);
  const apply = pools.getByRole('button', { name: 'Apply' });
  await expect(async () => {
    // The focus came back into the list with the drawer's end, so it holds its order until told.
    if (await apply.isVisible()) await apply.click();
    expect(await sandboxesOnScreen(page)).toEqual(await sandboxesInCluster(cluster, namespace));
    expect(await poolsOnScreen(pools)).toEqual(await poolsInCluster(cluster, namespace));
  }).toPass({ timeout: 15_000 });
  await expect(rowOf(list, session?.metadata.name ?? '').getByText('Paused')).toBeVisible();
  expect((await poolsOnScreen(pools)).map(({ stock }) => stock)).toEqual(['2 / 2', '4 / 4']);
});

test('the API server hangs: silence is noticed, and rows catch up when it goes on @fault', async ({
  page,
  cluster,
  namespace,
}) => {
  await createPool(cluster.api, namespace, 'tools', { replicas: 2 });
  await page.goto(`/sandboxes?ns=${namespace}`);
  await expect(grid(page, 'Sandboxes').getByText('Available')).toHaveCount(2);
  cluster.freeze();
  try {
    await expect(chip(page)).toHaveAccessibleName(/Delayed|Reconnecting/, { timeout: 45_000 });
  } finally {
    cluster.thaw();
  }
  await createPool(cluster.api, namespace, 'more', { replicas: 1 });
  await expect(chip(page)).toHaveAccessibleName(/Live/, { timeout: 45_000 });
  await expect(grid(page, 'Sandboxes').getByText('Available')).toHaveCount(3);
});
