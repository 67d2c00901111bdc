import type { Page } from '@playwright/test';
import type { Cluster } from './setup/cluster';
import { claim, createPool, randomName, sandboxesOf, upgrade } from './setup/objects';
import { axeViolations, complaintsOf, overflow, rawMessages } from './setup/page-checks';
import { removeNamespace } from './setup/removals';
import { expect, test } from './setup/test';

/** A pool, sessions out of it and an upgrade whose hook fails, in a namespace of its own. */
interface Situation {
  namespace: string;
  session: string;
}

async function situation({ api }: Cluster): Promise<Situation> {
  const namespace = randomName('e2e');
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await createPool(api, namespace, 'tools', { replicas: 4 });
  await claim(api, namespace, 'tools', 2, { team: 'pages' });
  const sessions = () => sandboxesOf(api, namespace, 'team=pages');
  await expect
    .poll(async () => (await sessions()).map(({ status }) => status?.phase), { timeout: 30_000 })
    .toEqual(['Running', 'Running']);
  await upgrade(api, namespace, 'upgrade', { team: 'pages' });
  return { namespace, session: (await sessions())[0]?.metadata.name ?? '' };
}

const pathsOf = ({ namespace, session }: Situation): Record<string, string> => ({
  overview: `/?ns=${namespace}`,
  stuck: `/stuck?ns=${namespace}`,
  pools: `/pools?ns=${namespace}`,
  pool: `/pools/${namespace}/tools?ns=${namespace}`,
  sandboxes: `/sandboxes?ns=${namespace}&peek=${namespace}/${session}`,
  sandbox: `/sandboxes/${namespace}/${session}?ns=${namespace}`,
  upgrades: `/upgrades?ns=${namespace}`,
  upgrade: `/upgrades/${namespace}/upgrade?ns=${namespace}`,
  tasks: `/tasks?ns=${namespace}`,
});
const withObject = new Set(['stuck', 'pool', 'sandboxes', 'sandbox', 'upgrade']);

async function open(page: Page, name: string, path: string): Promise<void> {
  const object = withObject.has(name)
    ? page.waitForResponse((response) => response.url().includes('/api/v1/objects/'))
    : undefined;
  await page.goto(path);
  await object;
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Freshness: Live|数据新鲜度：实时)/ })).toBeVisible();
  // Neither a list nor a text that is still to come.
  await expect(page.locator('[aria-busy="true"], .sk')).toHaveCount(0);
}

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
type Look = { theme: 'light' | 'dark'; size: keyof typeof sizes; axe: boolean };

async function wear(page: Page, { theme, size }: Look): Promise<void> {
  await page.setViewportSize(sizes[size]);
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

// Each language is loaded in another look, so that both widths and both themes are rendered first, and hydrated.
const matrix: { locale: string; looks: Look[] }[] = [
  {
    locale: 'en',
    looks: [
      { theme: 'light', size: 'wide', axe: true },
      { theme: 'dark', size: 'wide', axe: false },
      { theme: 'light', size: 'narrow', axe: false },
      { theme: 'dark', size: 'narrow', axe: true },
    ],
  },
  {
    locale: 'zh-CN',
    looks: [
      { theme: 'dark', size: 'narrow', axe: false },
      { theme: 'light', size: 'narrow', axe: false },
      { theme: 'light', size: 'wide', axe: false },
      { theme: 'dark', size: 'wide', axe: true },
    ],
  },
];

test.describe('every page', () => {
  // One after the other, in what is made for them once.
  test.describe.configure({ mode: 'default' });
  let there: Situation;
  test.beforeAll(async ({ cluster }) => {
    there = await situation(cluster);
  });
  test.afterAll(({ cluster }) => removeNamespace(cluster, there.namespace));

  for (const { locale, looks } of matrix) {
    test(`in ${locale}, both themes and widths: accessible, not too wide, without complaints or raw messages`, async ({
      page,
      context,
      consoleUrl,
    }) => {
      test.setTimeout(180_000);
      await context.addCookies([{ name: 'locale', value: locale, url: consoleUrl }]);
      const [first] = looks;
      if (first) {
        await page.setViewportSize(sizes[first.size]);
        await page.emulateMedia({ colorScheme: first.theme });
      }
      const complaints = complaintsOf(page);
      const found: string[] = [];
      for (const [name, path] of Object.entries(pathsOf(there))) {
        await open(page, name, path);
        await expect(page.locator('html')).toHaveAttribute('lang', locale);
        for (const look of looks) {
          await wear(page, look);
          const note = (what: string) => found.push(`${name} ${look.theme} ${look.size}: ${what}`);
          for (const tooWide of await overflow(page)) note(tooWide);
          for (const raw of await rawMessages(page)) note(`raw message ${raw}`);
          if (look.axe) for (const violation of await axeViolations(page)) note(violation);
        }
        for (const complaint of complaints.splice(0)) found.push(`${name}: ${complaint}`);
        if (first) await wear(page, first);
      }
      expect(found).toEqual([]);
    });
  }

  test('what opens over a page is accessible, too', async ({ page }) => {
    const paths = pathsOf(there);
    const complaints = complaintsOf(page);
    await open(page, 'pool', paths.pool ?? '');
    await page.getByRole('button', { name: 'Scale…' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('6');
    await expect(page.getByText('Dry run accepted by the server')).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Change template…' }).click();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Image' }).first()).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize(sizes.narrow);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Agents Console' })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflow(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('everything is reached by keyboard, and the focus comes back', async ({ page }) => {
    const { namespace, session } = there;
    await open(page, 'overview', `/?ns=${namespace}`);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();

    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(page).toHaveURL(/\/pools\b/);
    await page.goto(`/sandboxes?ns=${namespace}&q=${session}`);
    const list = page.getByRole('grid', { name: 'Sandboxes' });
    await expect(list).toHaveAttribute('aria-rowcount', '2');
    const search = page.getByRole('searchbox', { name: 'Name, id, owner or IP' });
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(search).toHaveValue('');
    await expect(list).toHaveAttribute('aria-rowcount', '7');
    await page.keyboard.press('Escape');
    await expect(search).not.toBeFocused();

    const rows = list.getByRole('row');
    await page.keyboard.press('j');
    await expect(rows.nth(1)).toBeFocused();
    await page.keyboard.press('j');
    await expect(rows.nth(2)).toBeFocused();
    await page.keyboard.press('k');
    await expect(rows.nth(1)).toBeFocused();
    const place = await rows.nth(1).boundingBox();
    await page.keyboard.press('x');
    await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
    expect(await rows.nth(1).boundingBox()).toEqual(place);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/[?&]peek=/);
    const name = new URL(page.url()).searchParams.get('peek')?.split('/')[1] ?? '';
    const peek = page.getByRole('complementary', { name });
    await expect(peek).toBeVisible();
    const row = list.getByRole('row').filter({ hasText: name });
    await expect(row).toBeFocused();

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await expect(row).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(peek).toBeHidden();
    await expect(row).toBeFocused();
    // The address follows a moment after the page; what is opened before that would be taken back by it.
    await expect(page).not.toHaveURL(/peek=/);

    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(new RegExp(`/sandboxes/${namespace}/${name}`));
  });
});

test('a namespace with nothing in it shows what would be there, and how to create it', async ({ page, namespace }) => {
  const titles = { pools: 'No pools', sandboxes: 'No sandboxes', upgrades: 'No upgrades' };
  for (const [area, title] of Object.entries(titles)) {
    await page.goto(`/${area}?ns=${namespace}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByText(/^kubectl apply -f \w+\.yaml$/)).toBeVisible();
  }
  await page.goto(`/stuck?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: 'Nothing is overdue' })).toBeVisible();
  await page.goto(`/?ns=${namespace}`);
  await expect(page.getByText('Nothing overdue.')).toBeVisible();
  await expect(page.getByText('No pools in these namespaces.')).toBeVisible();
});

test('an address that leads nowhere says what was not found', async ({ page }) => {
  await page.goto('/pools/no-such-namespace/no-such-pool');
  await expect(page.getByRole('heading', { name: 'No pool no-such-pool in no-such-namespace' })).toBeVisible();
  await page.goto('/sandboxes/no-such-namespace/no-such-sandbox');
  await expect(page.getByRole('heading', { name: 'No sandbox no-such-sandbox in no-such-namespace' })).toBeVisible();
  await page.goto('/upgrades/no-such-namespace/no-such-upgrade');
  await expect(page.getByRole('heading', { name: 'No upgrade no-such-upgrade in no-such-namespace' })).toBeVisible();
  await page.goto('/pools?ns=no-such-namespace');
  await expect(page.getByRole('heading', { name: 'No pools' })).toBeVisible();
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'No such page' })).toBeVisible();
});
