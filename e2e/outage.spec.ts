import path from 'node:path';
import { startConsole } from '../server/bin/lib/console.mjs';
import { startEmbedded } from '../server/bin/lib/embedded.mjs';
import { cacheDir } from '../server/bin/lib/paths.mjs';
import { claimPort } from '../server/bin/lib/ports.mjs';
import { callsOf } from './setup/cluster';
import { agentsPath, claim, createPool, readPool, sandboxesOf, setPaused, versionOf } from './setup/objects';
import { chip, inkOfRows, poolsInCluster, poolsOnScreen, sandboxesInCluster, sandboxesOnScreen } from './setup/screen';
import { grid, rowOf } from './setup/table';
import { expect, test } from './setup/test';

const namespaceObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } };

test.afterEach(({ cluster }) => cluster.bringBack());

test('the API server is gone for a while and comes back: the page says so, gates writes, and then shows what is there @fault', async ({
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
  const inkOfLive = await inkOfRows(page);

  await cluster.takeDown();
  for (const each of [page, pools]) {
    await expect(chip(each)).toHaveAccessibleName(/Reconnecting, data from \d/, { timeout: 30_000 });
    await expect(
      each.getByText(/^The API server does not answer; reconnecting\. Data from .+ Actions need a refresh first\.$/),
    ).toBeVisible();
  }
  expect(await sandboxesOnScreen(page)).toEqual(before);
  expect(await inkOfRows(page)).not.toBe(inkOfLive);
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
  expect(await inkOfRows(page)).toBe(inkOfLive);
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

test('the API server is killed, and another with other objects and lower versions takes its place @fault', async ({
  page,
  context,
}) => {
  test.setTimeout(150_000);
  const dir = path.join(cacheDir, 'e2e', 'killed');
  const port = await claimPort(0, '127.0.0.1');
  const startOn = (log: string) => startEmbedded({ dir, port, scenario: 'empty', log: path.join(dir, log) });
  const stops: (() => unknown)[] = [];
  try {
    const first = await startOn('first.log');
    stops.push(first.process.stop);
    const server = await startConsole({
      port: await claimPort(0, '127.0.0.1'),
      kubeconfig: first.kubeconfig,
      embedded: true,
      log: path.join(dir, 'console.log'),
    });
    stops.push(server.process.stop);
    const before = callsOf(first.kubeconfig);
    stops.push(() => before.api.close());
    await before.api.create('/api/v1/namespaces', namespaceObject);
    await createPool(before.api, 'lab', 'kept', { replicas: 8 });
    await createPool(before.api, 'lab', 'dropped', { replicas: 4 });
    const pools = await context.newPage();
    await page.goto(`${server.url}/sandboxes?ns=lab`);
    await pools.goto(`${server.url}/pools?ns=lab`);
    await expect(grid(page, 'Sandboxes').getByText('Available')).toHaveCount(12);
    await expect
      .poll(() => poolsOnScreen(pools))
      .toEqual([
        { name: 'droppedlab', stock: '4 / 4' },
        { name: 'keptlab', stock: '8 / 8' },
      ]);
    const [inkOfLive, sandboxes, inStock] = [
      await inkOfRows(page),
      await sandboxesOnScreen(page),
      await poolsOnScreen(pools),
    ];
    const versionBefore = await versionOf(before.api, 'lab');
    const { uid } = (await readPool(before.api, 'lab', 'kept')).metadata;

    first.process.signal('SIGKILL');
    await first.process.exited;
    for (const each of [page, pools]) {
      await expect(chip(each)).toHaveAccessibleName(/Reconnecting, data from \d/, { timeout: 30_000 });
    }
    expect(await sandboxesOnScreen(page)).toEqual(sandboxes);
    expect(await poolsOnScreen(pools)).toEqual(inStock);
    expect(await inkOfRows(page)).not.toBe(inkOfLive);

    const second = await startOn('second.log');
    stops.push(second.process.stop);
    const after = callsOf(second.kubeconfig);
    stops.push(() => after.api.close());
    await after.api.create('/api/v1/namespaces', namespaceObject);
    await createPool(after.api, 'lab', 'kept', { replicas: 2 });
    await createPool(after.api, 'lab', 'added', { replicas: 1 });
    const atRest = async () => (await sandboxesInCluster(after, 'lab')).map(({ state }) => state);
    await expect.poll(atRest, { timeout: 30_000 }).toEqual(['Available', 'Available', 'Available']);
    expect((await readPool(after.api, 'lab', 'kept')).metadata.uid).not.toBe(uid);
    expect(await versionOf(after.api, 'lab')).toBeLessThan(versionBefore);

    for (const each of [page, pools]) await expect(chip(each)).toHaveAccessibleName(/Live/, { timeout: 45_000 });
    await expect(async () => {
      expect(await sandboxesOnScreen(page)).toEqual(await sandboxesInCluster(after, 'lab'));
      expect(await poolsOnScreen(pools)).toEqual(await poolsInCluster(after, 'lab'));
    }).toPass({ timeout: 15_000 });
    expect(await inkOfRows(page)).toBe(inkOfLive);
    // And it is followed from there.
    await claim(after.api, 'lab', 'kept', 1, { team: 'after' });
    await expect(async () => {
      const expected = await sandboxesInCluster(after, 'lab');
      expect(expected.map(({ state }) => state).toSorted()).toEqual(['Available', 'Available', 'Available', 'Running']);
      expect(await sandboxesOnScreen(page)).toEqual(expected);
      expect(await poolsOnScreen(pools)).toEqual(await poolsInCluster(after, 'lab'));
    }).toPass({ timeout: 15_000 });
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
});
