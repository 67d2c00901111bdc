import type { Api } from '../server/embedded/controllers/client/api';
import { claim, createPool, isTrue, sandboxesOf, setPaused } from './setup/objects';
import { grid, rowOf } from './setup/table';
import { expect, test } from './setup/test';

const pinned = `registry.local/e2e/runtime@sha256:${'0123456789abcdef'.repeat(4)}`;

/** A session whose init image is pinned by digest was paused and is to come back: it never does. Gives its name. */
async function hangInResuming(api: Api, namespace: string): Promise<string> {
  const session = async () => (await sandboxesOf(api, namespace, 'team=stuck'))[0];
  await createPool(api, namespace, 'browsers', { replicas: 1, runtime: pinned });
  await claim(api, namespace, 'browsers', 1, { team: 'stuck' });
  await expect.poll(async () => (await session())?.status?.phase, { timeout: 30_000 }).toBe('Running');
  const name = (await session())?.metadata.name ?? '';
  await setPaused(api, namespace, name, true);
  const isPaused = async () => {
    const sandbox = await session();
    return sandbox?.status?.phase === 'Paused' && isTrue(sandbox, 'SandboxPaused');
  };
  await expect.poll(isPaused, { timeout: 30_000 }).toBe(true);
  await setPaused(api, namespace, name, false);
  return name;
}

test('a sandbox pinned by digest hangs in Resuming: Stuck names the verdict, the reason and where the time is from', async ({
  page,
  cluster,
  namespace,
}) => {
  const name = await hangInResuming(cluster.api, namespace);
  await page.goto(`/stuck?ns=${namespace}`);
  const row = rowOf(grid(page, 'Stuck'), name);
  await expect(row).toContainText('never converges', { timeout: 30_000 });
  await expect(row).toContainText('Resuming');
  await expect(row).toContainText('condition time');
  const reading = page.getByRole('complementary', { name: `Why ${name} is stuck` });
  await expect(reading).toContainText('Never converges');
  const compared = reading.getByRole('row', { name: /^Repository/ });
  await expect(compared).toContainText('e2e/runtime');
  await expect(compared).toContainText('library/sha256');

  // The same sandbox by the palette, from another page.
  await page.goto(`/upgrades?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: 'Upgrades', level: 1 })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stuck 1' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.getByRole('option', { name: new RegExp(name) }).click();
  await expect(page).toHaveURL(new RegExp(`/sandboxes/${namespace}/${name}`));
  await expect(page.getByRole('main')).toContainText('clock: condition time');
});

test('filters are in the address: they survive a reload and act on all rows', async ({ page, cluster, namespace }) => {
  await createPool(cluster.api, namespace, 'alpha', { replicas: 3 });
  await createPool(cluster.api, namespace, 'beta', { replicas: 2 });
  await page.goto(`/sandboxes?ns=${namespace}`);
  const list = grid(page, 'Sandboxes');
  await expect(list.getByText('Available')).toHaveCount(5);
  const filters = page.getByRole('complementary', { name: 'Filters' });
  await filters.getByRole('button', { name: 'alpha 3' }).click();
  await expect(list).toHaveAttribute('aria-rowcount', '4');
  await expect(page).toHaveURL(/[?&]pool=alpha\b/);
  await list.getByRole('button', { name: 'Node' }).click();
  await expect(list.getByRole('columnheader', { name: 'Node' })).toHaveAttribute('aria-sort', 'ascending');

  await page.reload();
  await expect(list).toHaveAttribute('aria-rowcount', '4');
  await expect(filters.getByRole('button', { name: 'alpha 3' })).toHaveAttribute('aria-pressed', 'true');
  await expect(list.getByRole('columnheader', { name: 'Node' })).toHaveAttribute('aria-sort', 'ascending');

  await page.getByRole('searchbox', { name: 'Name, id, owner or IP' }).fill('nothing has this name');
  await expect(page.getByRole('heading', { name: '0 of 5 match' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(list).toHaveAttribute('aria-rowcount', '6');
  await expect(page).not.toHaveURL(/pool=/);
});
