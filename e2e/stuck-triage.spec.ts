import type { Page } from '@playwright/test';
import { incidentBundle } from '../lib/contracts/incident-bundle';
import { createPool } from './setup/objects';
import { sound } from './setup/page-checks';
import { hangInResuming } from './setup/stuck-resume';
import { grid } from './setup/table';
import { expect, test } from './setup/test';

const view = (page: Page, name: string) => page.getByRole('radio', { name });

test('two people on one cohort do not overwrite each other, and see each other within seconds', async ({
  page,
  browser,
  baseURL,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  await hangInResuming(cluster.api, namespace, 'stuck');
  const elsewhere = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'en-US', timezoneId: 'UTC' });
  const other = await elsewhere.newPage();
  await page.goto(`/stuck?ns=${namespace}`);
  await other.goto(`/stuck?ns=${namespace}`);
  const take = (of: Page) => of.getByRole('button', { name: /^Take Image spec/ });
  await expect(take(other)).toBeVisible({ timeout: 30_000 });

  // The other page does not hear of what is said meanwhile.
  await other.route(/\/api\/v1\/triage\?/, (route) =>
    route.fulfill({ json: { time: Date.now(), store: { state: 'ok' }, marks: [] } }),
  );
  await take(page).click();
  await expect(view(page, 'Acknowledged 1')).toBeVisible();
  await take(other).click();
  const dialog = other.getByRole('dialog', { name: 'Who is on it' });
  await expect(dialog.getByRole('alert')).toContainText('Somebody was faster');
  await expect(dialog.getByRole('alert')).toContainText(/is on it, since \d\d:\d\d/);
  await sound(other);

  // What is entered then goes over theirs knowingly, and is seen there.
  await dialog.getByRole('textbox', { name: 'Note' }).fill('draining the node');
  await other.unroute(/\/api\/v1\/triage\?/);
  await dialog.getByRole('button', { name: /^(Take|Change)$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(grid(page, 'Cohorts')).toContainText('note', { timeout: 4_000 });

  await page.getByRole('button', { name: /^Who is on Image spec/ }).click();
  const mine = page.getByRole('dialog', { name: 'Who is on it' });
  await expect(mine).toContainText('draining the node');
  await mine.getByRole('radio', { name: /^Put off/ }).check();
  await mine.getByRole('combobox', { name: 'For' }).selectOption('15');
  await mine.getByRole('button', { name: 'Change' }).click();
  await expect(view(other, 'Put off 1')).toBeVisible({ timeout: 4_000 });
  await expect(view(other, 'Overdue 0')).toBeVisible();
  await view(other, 'Put off 1').click();
  await other.getByRole('button', { name: /^Who is on Image spec/ }).click();
  await other.getByRole('button', { name: 'Release' }).click();
  await expect(view(page, 'Overdue 1')).toBeVisible({ timeout: 4_000 });
  await elsewhere.close();
});

test('a limit that somebody changes counts on every open page within seconds', async ({
  page,
  context,
  cluster,
  namespace,
}) => {
  // Its image does not come: its only member stays in creation.
  await createPool(cluster.api, namespace, 'slow', { replicas: 1, image: 'registry.local/bad:v1' });
  const other = await context.newPage();
  await page.goto(`/stuck?ns=${namespace}`);
  await other.goto(`/stuck?ns=${namespace}`);
  await expect(view(other, 'In progress 1')).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: 'Limits…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits' });
  await dialog.getByRole('combobox', { name: 'For' }).selectOption(`${namespace}/slow`);
  await dialog.getByRole('textbox', { name: 'Creating: Amber after' }).fill('1s');
  await dialog.getByRole('textbox', { name: 'Creating: Red after' }).fill('2s');
  await sound(page);
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await expect(dialog).toBeHidden();
  await expect(view(other, 'Overdue 1')).toBeVisible({ timeout: 5_000 });
  await expect(other.getByRole('link', { name: /^Stuck/ }).first()).toContainText('1');

  await page.getByRole('button', { name: 'Limits…' }).click();
  await dialog.getByRole('combobox', { name: 'For' }).selectOption(`${namespace}/slow`);
  await dialog.getByRole('button', { name: 'Creating: back to the default' }).click();
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await expect(view(other, 'In progress 1')).toBeVisible({ timeout: 5_000 });
});

test('the incident bundle is copied with one press, and saved as a file that a script can read', async ({
  page,
  context,
  cluster,
  namespace,
}) => {
  test.setTimeout(90_000);
  const name = await hangInResuming(cluster.api, namespace, 'bundle');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/stuck?ns=${namespace}`);
  await expect(page.getByRole('complementary', { name: `Why ${name} is stuck` })).toContainText('Never converges');
  await page.getByRole('button', { name: 'Incident bundle', exact: true }).first().click();
  await expect(page.getByText('Incident bundle copied: 1 sandbox, 1 in detail')).toBeAttached({ timeout: 15_000 });
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain('# 1 × Resuming: Image spec ≠ status');
  expect(text).toContain('**InitImageMismatch** (certain, never converges)');
  const [, link = ''] = /^<(http[^>]+)>$/m.exec(text) ?? [];

  await page.getByRole('button', { name: 'More of the incident bundle' }).first().click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download .json' }).click();
  const file = await (await saving).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(Buffer.from(chunk));
  const bundle = incidentBundle.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  expect(bundle.details.map((detail) => detail.name)).toEqual([name]);

  await page.goto(link);
  await expect(page.getByRole('complementary', { name: `Why ${name} is stuck` })).toBeVisible();
});
