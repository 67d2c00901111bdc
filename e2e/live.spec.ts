import type { Locator, Page } from '@playwright/test';
import { createPool, readPool } from './setup/objects';
import { grid, rowOf } from './setup/table';
import { expect, test } from './setup/test';

/** The stock bar of a pool, also while a drawer covers it. */
const stock = (scope: Locator) => scope.getByRole('img', { name: /\d+ available/, includeHidden: true });
const inStock = (available: number, desired: number) =>
  `${available} available, 0 creating, 0 terminating of ${desired}`;

async function openScale(page: Page, pool: string): Promise<Locator> {
  await page.getByRole('button', { name: `Actions for ${pool}` }).click();
  await page.getByRole('menuitem', { name: 'Scale…' }).click();
  const drawer = page.getByRole('dialog', { name: `Scale ${pool}`, exact: true });
  await expect(drawer.getByRole('textbox', { name: 'Unclaimed sandboxes wanted' })).toBeFocused();
  return drawer;
}

const wanted = (drawer: Locator) => drawer.getByRole('textbox', { name: 'Unclaimed sandboxes wanted' });

test('a pool appears in the open page, and scaling it from 3 to 12 is seen through to the last sandbox', async ({
  page,
  cluster,
  namespace,
}) => {
  await page.goto(`/pools?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: 'No pools' })).toBeVisible();
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await createPool(cluster.api, namespace, 'tools', { replicas: 3 });
  const row = rowOf(grid(page, 'Pools'), 'tools');
  await expect(stock(row)).toHaveAttribute('aria-label', inStock(3, 3));

  const drawer = await openScale(page, 'tools');
  await wanted(drawer).fill('12');
  await expect(drawer.getByText('3 → 12')).toBeVisible();
  await expect(drawer.getByText(/Cluster ask, 9 pods/)).toBeVisible();
  await expect(drawer.getByText(`kubectl -n ${namespace} scale`)).toContainText('--replicas=12');
  await expect(drawer.getByText('Dry run accepted by the server')).toBeVisible();
  expect((await readPool(cluster.api, namespace, 'tools')).spec.replicas).toBe(3);

  await drawer.getByRole('button', { name: 'Scale to 12' }).click();
  await expect(drawer.getByText('tools scaled 3 → 12')).toBeVisible();
  await expect(drawer.getByText(/^Observed: /)).toBeVisible();
  const counts: number[] = [];
  const available = async () => {
    const count = Number.parseInt((await stock(row).getAttribute('aria-label')) ?? '', 10);
    counts.push(count);
    return count;
  };
  await expect.poll(available, { intervals: [50], timeout: 30_000 }).toBe(12);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.filter((count) => count > 3 && count < 12).length).toBeGreaterThan(0);
  const pool = await readPool(cluster.api, namespace, 'tools');
  expect(pool.spec.replicas).toBe(12);
  expect(loads).toBe(0);
});

test('a pool that was opened as a page shows its stock grow, and members appear in its inventory', async ({
  page,
  cluster,
  namespace,
}) => {
  await createPool(cluster.api, namespace, 'tools', { replicas: 1 });
  await page.goto(`/pools/${namespace}/tools?ns=${namespace}`);
  await page.getByRole('button', { name: 'Scale…' }).click();
  const drawer = page.getByRole('dialog', { name: 'Scale tools' });
  await wanted(drawer).fill('4');
  // Until it is known what the person may do, nothing is sent.
  await expect(drawer.getByText('Dry run accepted by the server')).toBeVisible();
  await wanted(drawer).press('Enter');
  await expect(drawer.getByText('tools scaled 1 → 4')).toBeVisible();
  await drawer.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByRole('tab', { name: 'Inventory 4' })).toBeVisible();
  await expect(stock(page.getByRole('main'))).toHaveAttribute('aria-label', inStock(4, 4));
  // Under a pointer rows keep their places.
  await page.mouse.move(0, 0);
  await expect(grid(page, 'Idle members of tools').getByRole('row')).toHaveCount(5);
});

test('scaling to 0 asks first and names what happens; the number that is there already is no change', async ({
  page,
  cluster,
  namespace,
}) => {
  await createPool(cluster.api, namespace, 'tools', { replicas: 2 });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.postDataJSON()?.dryRun === false) sent.push(request.url());
  });
  await page.goto(`/pools?ns=${namespace}`);
  const row = rowOf(grid(page, 'Pools'), 'tools');
  await expect(stock(row)).toHaveAttribute('aria-label', inStock(2, 2));

  const drawer = await openScale(page, 'tools');
  const unchanged = drawer.getByRole('button', { name: 'Scale to 2' });
  await unchanged.hover();
  await expect(page.getByRole('tooltip')).toHaveText('The pool has this number already.');
  await wanted(drawer).press('Enter');

  await wanted(drawer).fill('0');
  await drawer.getByRole('button', { name: 'Scale to 0' }).click();
  const dialog = page.getByRole('dialog', { name: 'Scale tools to 0' });
  await expect(dialog.getByRole('list', { name: 'What happens' })).toContainText('2 idle sandboxes are deleted.');
  await expect(dialog.getByText('--replicas=0')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(sent).toEqual([]);

  await drawer.getByRole('button', { name: 'Scale to 0' }).click();
  await dialog.getByRole('button', { name: 'Scale to 0' }).click();
  await expect(drawer.getByText('tools scaled 2 → 0')).toBeVisible();
  await expect(stock(row)).toHaveAttribute('aria-label', inStock(0, 0));
  expect(sent).toHaveLength(1);
  expect((await readPool(cluster.api, namespace, 'tools')).spec.replicas).toBe(0);
});

test('somebody else scales while the form is open: it says so, keeps what was typed, and sends nothing before', async ({
  page,
  cluster,
  namespace,
}) => {
  await createPool(cluster.api, namespace, 'tools', { replicas: 1 });
  await page.goto(`/pools?ns=${namespace}`);
  const drawer = await openScale(page, 'tools');
  await wanted(drawer).fill('5');
  await expect(drawer.getByText('Dry run accepted by the server')).toBeVisible();
  await cluster.api.patch(`/apis/agents.kruise.io/v1alpha1/namespaces/${namespace}/sandboxsets/tools/scale`, {
    spec: { replicas: 3 },
  });
  await expect(drawer.getByText('Changed underneath: 1 → 3')).toBeVisible();
  await expect(wanted(drawer)).toHaveValue('5');
  await drawer.getByRole('button', { name: 'Scale to 5' }).hover();
  await expect(page.getByRole('tooltip')).toHaveText('The number changed underneath: continue from 3 first.');
  await drawer.getByRole('button', { name: 'Continue from 3' }).click();
  await drawer.getByRole('button', { name: 'Scale to 5' }).click();
  await expect(drawer.getByText('tools scaled 3 → 5')).toBeVisible();
  expect((await readPool(cluster.api, namespace, 'tools')).spec.replicas).toBe(5);
});
