import type { Api } from '../server/embedded/controllers/client/api';
import { claim, createPool, isTrue, sandboxesOf, setPaused } from './setup/objects';
import { complaintsOf, sound } from './setup/page-checks';
import { chip } from './setup/screen';
import { hangInResuming, pinned } from './setup/stuck-resume';
import { grid } from './setup/table';
import { expect, test } from './setup/test';

const cohorts = 'Cohorts';
const members = /^Members of/;

/** Sessions of one pool whose init image is pinned by digest were paused and are to come back: none ever does. */
async function hangTogether(api: Api, namespace: string, count: number): Promise<string[]> {
  const sessions = () => sandboxesOf(api, namespace, 'team=stuck');
  await createPool(api, namespace, 'tools', { replicas: count, runtime: pinned });
  await claim(api, namespace, 'tools', count, { team: 'stuck' });
  const running = async () => (await sessions()).filter(({ status }) => status?.phase === 'Running').length;
  await expect.poll(running, { timeout: 60_000 }).toBe(count);
  const names = (await sessions()).map(({ metadata }) => metadata.name);
  for (const name of names) await setPaused(api, namespace, name, true);
  const paused = async () => (await sessions()).filter((sandbox) => isTrue(sandbox, 'SandboxPaused')).length;
  await expect.poll(paused, { timeout: 60_000 }).toBe(count);
  for (const name of names) await setPaused(api, namespace, name, false);
  return names.sort();
}

test.afterEach(async ({ cluster }, { title }) => {
  if (title.includes('@fault')) await cluster.bringBack();
});

test('a cohort pinned by digest, from alarm to explanation to way out', async ({ page, cluster, namespace }) => {
  test.setTimeout(180_000);
  const complaints = complaintsOf(page);
  const [name = ''] = await hangTogether(cluster.api, namespace, 3);
  await page.goto(`/?ns=${namespace}`);
  await page.getByRole('link', { name: 'Triage' }).first().click();

  const list = grid(page, cohorts);
  await expect(list).toHaveAttribute('aria-rowcount', '2', { timeout: 30_000 });
  await expect(list).toContainText('never converges');
  await expect(grid(page, members)).toHaveAttribute('aria-rowcount', '4');
  await grid(page, members).getByRole('link', { name, exact: true }).click();
  const why = page.getByRole('complementary', { name: `Why ${name} is stuck` });
  await expect(why.getByRole('heading', { name: 'Never converges' })).toBeVisible();
  const gates = why.getByRole('list', { name: /^What the controller waits for/ });
  await expect(gates.getByRole('listitem').filter({ hasText: 'Init images' })).toContainText('not passed');
  const compared = why.getByRole('row', { name: /^Repository/ });
  await expect(compared).toContainText('e2e/runtime');
  await expect(compared).toContainText('library/sha256');
  await sound(page);

  // The same figures as chart and as table.
  await expect(page.getByRole('img', { name: /^Resuming: p50/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Init images.*still open$/ })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'How to show: Timeline' }).getByRole('radio', { name: 'Table' }).click();
  await expect(page.getByRole('region', { name: 'Timeline' }).getByRole('row', { name: /^Init images/ })).toContainText(
    'still open',
  );

  // The address brings back what is looked at.
  await page.reload();
  await expect(why.getByRole('heading', { name: 'Never converges' })).toBeVisible();

  await page.getByRole('button', { name: /^Take Image spec/ }).click();
  await expect(page.getByRole('radio', { name: 'Acknowledged 3' })).toBeVisible();
  const ways = why.getByRole('listitem').filter({ hasText: 'name the image of agent-runtime by a tag' });
  await expect(ways).toContainText('Loses memory, root file system, address');
  await ways.getByRole('button', { name: 'Change images…' }).click();
  const dialog = page.getByRole('dialog', { name: `Change images of ${name}` });
  await dialog.getByRole('textbox', { name: 'Init container agent-runtime' }).fill('registry.local/e2e/runtime:1.0');
  await expect(dialog.getByText('Dry run accepted by the server')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change images', exact: true }).click();
  await expect(dialog.getByText(/^Observed: new pod/)).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await page.mouse.move(0, 0);
  await expect(page.getByRole('radio', { name: 'Overdue 2' })).toBeVisible({ timeout: 30_000 });
  expect(complaints).toEqual([]);
});

test('the palette finds a stuck sandbox, and its page tells its timeline', async ({ page, cluster, namespace }) => {
  const name = await hangInResuming(cluster.api, namespace, 'stuck');
  await page.goto(`/upgrades?ns=${namespace}`);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stuck 1' })).toBeVisible({
    timeout: 30_000,
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.getByRole('option', { name: new RegExp(name) }).click();
  await expect(page).toHaveURL(new RegExp(`/sandboxes/${namespace}/${name}`));
  await expect(page.getByRole('main')).toContainText('clock: condition time');
  await expect(page.getByRole('img', { name: /^Init images.*still open$/ })).toBeVisible({ timeout: 30_000 });
});

test('the API server goes away during triage: everything stays readable and nothing can be written @fault', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  const [name = ''] = await hangTogether(cluster.api, namespace, 2);
  await page.goto(`/stuck?ns=${namespace}&peek=${namespace}/${name}`);
  const why = page.getByRole('complementary', { name: `Why ${name} is stuck` });
  await expect(why.getByRole('row', { name: /^Repository/ })).toBeVisible({ timeout: 30_000 });
  await expect(grid(page, members)).toHaveAttribute('aria-rowcount', '3');
  await cluster.takeDown();
  await expect(chip(page)).toHaveAccessibleName(/Reconnecting, data from \d/, { timeout: 30_000 });
  await expect(page.getByText(/^The API server does not answer; reconnecting\./)).toHaveCount(1);
  await expect(grid(page, members)).toHaveAttribute('aria-rowcount', '3');
  await expect(why.getByRole('row', { name: /^Repository/ })).toBeVisible();
  await expect(why.getByRole('button', { name: 'Refresh and retry' }).first()).toBeVisible({ timeout: 30_000 });
  await expect(why.getByRole('button', { name: 'Change images…' })).toHaveCount(0);
  await cluster.bringBack();
  await expect(chip(page)).toHaveAccessibleName(/Live/, { timeout: 45_000 });
  await expect(why.getByRole('button', { name: 'Change images…' })).toBeVisible();
});

test('the same triage in another language and another time zone', async ({
  page,
  context,
  consoleUrl,
  cluster,
  namespace,
}) => {
  const name = await hangInResuming(cluster.api, namespace, 'stuck');
  await context.addCookies([
    { name: 'locale', value: 'zh-CN', url: consoleUrl },
    { name: 'zone', value: 'Asia/Shanghai', url: consoleUrl },
  ]);
  await page.goto(`/stuck?ns=${namespace}`);
  const why = page.getByRole('complementary', { name: `${name} 为什么卡住` });
  await expect(why.getByRole('heading', { name: '永不收敛' })).toBeVisible({ timeout: 30_000 });
  await expect(why.getByRole('heading', { name: '在这里没有用' })).toBeVisible();
  await expect(page.getByRole('heading', { name: `${name} 的时间线` }).locator('..')).toContainText('GMT+8');
  await sound(page);
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
