import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { builtServer } from '../server/bin/lib/build.mjs';
import { cacheDir } from '../server/bin/lib/paths.mjs';
import type { Cluster } from './setup/cluster';
import { during } from './setup/faults';
import { createPool, randomName, readPool, sandboxesOf } from './setup/objects';
import { complaintsOf, sound } from './setup/page-checks';
import { removeNamespace } from './setup/removals';
import { expect, test } from './setup/test';

/** The manager knows a pool by its name alone: these are nobody else's. */
interface Place {
  namespace: string;
  warm: string;
  empty: string;
  /** Empty, too, and what is made for it takes a while. */
  slow: string;
}

async function makePlace({ api }: Cluster): Promise<Place> {
  const place = {
    namespace: randomName('e2e'),
    warm: randomName('warm'),
    empty: randomName('empty'),
    slow: randomName('slow'),
  };
  const { namespace } = place;
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await createPool(api, namespace, place.warm, { replicas: 3 });
  await createPool(api, namespace, place.empty, { replicas: 0 });
  const annotations = { 'sim.local/start-delay': '2s' };
  await createPool(api, namespace, place.slow, { replicas: 0, annotations });
  await allGivenBack(api, place);
  return place;
}

/** The pool is full, and nobody has a sandbox: none is without its pool as owner. */
async function allGivenBack(api: Cluster['api'], { namespace, warm }: Place): Promise<void> {
  const available = async () => (await readPool(api, namespace, warm)).status?.availableReplicas;
  await expect.poll(available, { timeout: 30_000 }).toBe(3);
  const claimed = async () =>
    (await sandboxesOf(api, namespace)).filter(({ metadata }) => metadata.ownerReferences === undefined);
  await expect.poll(claimed, { timeout: 30_000 }).toEqual([]);
}

const panel = (page: Page) => page.getByRole('region', { name: 'Task', exact: true });
const printed = (page: Page) => page.getByRole('region', { name: 'stdout and stderr' });
const step = (page: Page, name: string) => panel(page).locator('.stp').filter({ hasText: name });
/** What became of it, beside its name. */
const outcome = (page: Page, text: string) => panel(page).locator('.sech .st').getByText(text, { exact: true });

async function choose(page: Page, { namespace }: Place, pool: string): Promise<void> {
  const picker = page.getByLabel('Pool', { exact: true });
  await expect(picker).toContainText(pool);
  await picker.selectOption(`${namespace}/${pool}`);
}

async function open(page: Page, place: Place, pool: string): Promise<void> {
  await page.goto(`/tasks?ns=${place.namespace}`);
  await choose(page, place, pool);
}

async function write(page: Page, code: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Python code, task.py' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
}

const run = async (page: Page) => {
  await page.getByRole('button', { name: 'Run task' }).click();
  await expect(panel(page)).toBeVisible();
};

/** As many tasks as one person may have running, and their ids: the next one waits. */
async function fillRunner(page: Page, { namespace, warm }: Place): Promise<string[]> {
  const { runner } = await (await page.request.get('/api/v1/tasks?limit=1')).json();
  const data = { pool: { ns: namespace, name: warm }, code: 'pass', timeLimitSeconds: 60 };
  const submit = async () => (await (await page.request.post('/api/v1/tasks', { data })).json()).task.id;
  return Promise.all(Array.from({ length: runner.perPerson }, submit));
}

test.describe('tasks', () => {
  test.describe.configure({ mode: 'default' });
  let place: Place;
  test.beforeAll(async ({ cluster }) => {
    test.skip(!cluster.embedded, 'The manager of this cluster is not ours.');
    place = await makePlace(cluster);
  });
  test.afterAll(async ({ cluster }) => {
    if (cluster.embedded) await removeNamespace(cluster, place.namespace);
  });

  test('a sample runs warm, step by step, and shows where its sandbox came from', async ({ page }) => {
    const complaints = complaintsOf(page);
    await open(page, place, place.warm);
    await page.getByRole('button', { name: 'CSV totals' }).click();
    await run(page);
    await expect(outcome(page, 'exit 0')).toBeVisible({ timeout: 30_000 });
    for (const name of ['Claim', 'Write files', 'Run', 'Collect', 'Release']) {
      await expect(step(page, name)).toHaveAttribute('data-state', 'done');
      await expect(step(page, name).locator('.dw b')).toHaveText(/\d/);
    }
    await expect(printed(page)).toContainText('East       200');
    const proof = panel(page).getByRole('region', { name: 'The sandbox' });
    await expect(proof).toContainText(`it was a member of pool ${place.warm} before the claim`);
    await expect(proof.getByRole('link', { name: new RegExp(`^${place.warm}-`) })).toHaveCount(2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel(page).getByRole('link', { name: 'totals.json' }).click(),
    ]);
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual({ East: 200, West: 95, North: 60 });
    await expect(page.getByRole('region', { name: 'Claim time, warm and cold' })).toContainText(`${place.warm}, warm`);
    await sound(page);
    expect(complaints).toEqual([]);
  });

  test('is cancelled at each step, and every sandbox is given back @fault', async ({ page, cluster }) => {
    // Nine tasks, of which four wait for one another.
    test.slow();
    const cancel = panel(page).getByRole('button', { name: 'Cancel' });
    const isAt = (name: string) => expect(step(page, name)).toHaveAttribute('data-state', 'running');
    const isCancelled = async (release: 'done' | 'skipped') => {
      await expect(outcome(page, 'cancelled')).toBeVisible({ timeout: 20_000 });
      await expect(step(page, 'Release')).toHaveAttribute('data-state', release);
    };
    await open(page, place, place.warm);
    await test.step('in the queue', () =>
      during(cluster, 'manager-hangs', async () => {
        const others = await fillRunner(page, place);
        await run(page);
        await expect(panel(page)).toContainText('It is the next one to run.');
        await cancel.click();
        await isCancelled('skipped');
        for (const id of others) await page.request.post(`/api/v1/tasks/${id}/cancel`, { data: {} });
      }));
    await test.step('while it claims', async () => {
      await choose(page, place, place.slow);
      await run(page);
      await isAt('Claim');
      await cancel.click();
      await isCancelled('done');
      await choose(page, place, place.warm);
    });
    await test.step('while files are written', () =>
      during(cluster, 'gateway-hangs', async () => {
        await run(page);
        await isAt('Write files');
        await cancel.click();
        await isCancelled('done');
      }));
    await test.step('while the code runs, whose first line is seen before its end', async () => {
      await write(page, 'import time\nprint("first", flush=True)\ntime.sleep(60)\nprint("last")\n');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(printed(page)).toContainText('first');
      await isAt('Run');
      await cancel.click();
      await isCancelled('done');
      await expect(printed(page)).not.toContainText('last');
    });
    await test.step('while results are collected', async () => {
      await write(page, 'import time\nprint("ends soon", flush=True)\ntime.sleep(2)\n');
      await run(page);
      await expect(printed(page)).toContainText('ends soon');
      await during(cluster, 'gateway-hangs', async () => {
        await isAt('Collect');
        await cancel.click();
        await isCancelled('done');
      });
    });
    await test.step('while it is given back there is nothing to cancel, and the button says so', async () => {
      await run(page);
      await expect(printed(page)).toContainText('ends soon');
      await during(cluster, 'manager-hangs', async () => {
        await isAt('Release');
        await expect(panel(page).getByRole('button', { name: 'Giving back…' })).toHaveAttribute(
          'aria-disabled',
          'true',
        );
      });
      await expect(outcome(page, 'exit 0')).toBeVisible();
    });
    await allGivenBack(cluster.api, place);
  });

  test('one that fails says how, on both streams', async ({ page }) => {
    await open(page, place, place.warm);
    await page.getByRole('button', { name: 'Fails' }).click();
    await run(page);
    await expect(outcome(page, 'exit 3')).toBeVisible({ timeout: 30_000 });
    await expect(printed(page)).toContainText('Everything is fine so far.');
    await expect(printed(page).locator('[data-stream="err"]')).toContainText('Now it is not.');
    await panel(page)
      .getByRole('radio', { name: /^stderr/ })
      .click();
    await expect(panel(page).getByRole('region', { name: 'stderr' })).not.toContainText('Everything is fine');
  });

  test('goes on when its page is closed, and is shown whole when it is opened again', async ({ page, context }) => {
    await open(page, place, place.warm);
    await write(page, 'import time\nprint("before", flush=True)\ntime.sleep(2)\nprint("after")\n');
    await run(page);
    await expect(printed(page)).toContainText('before', { timeout: 30_000 });
    const address = page.url();
    await page.close();
    const later = await context.newPage();
    await later.goto(address);
    await expect(outcome(later, 'exit 0')).toBeVisible({ timeout: 30_000 });
    await expect(printed(later)).toHaveText(/before\s+after/);
    await later.reload();
    await expect(printed(later)).toHaveText(/before\s+after/);
  });

  test('an empty pool is a cold start, to which the same task leads; the manager’s key is nowhere but in the server', async ({
    page,
    cluster,
    consoleUrl,
  }) => {
    const key = readFileSync(cluster.e2b?.keyFile ?? '', 'utf8').trim();
    expect(key.length).toBeGreaterThan(7);
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => {
      if (!response.headers()['content-type']?.startsWith('text/event-stream')) {
        bodies.push(response.text().catch(() => ''));
      }
    });
    await open(page, place, place.warm);
    await write(page, 'import os\nprint("secrets:", dict(os.environ))\n');
    await run(page);
    await expect(outcome(page, 'exit 0')).toBeVisible({ timeout: 30_000 });
    await panel(page).getByRole('button', { name: 'Run it on an empty pool' }).click();
    await expect(step(page, 'Claim')).toContainText('cold, created for this task', { timeout: 30_000 });
    await expect(outcome(page, 'exit 0')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('region', { name: 'Claim time, warm and cold' })).toContainText(`${place.empty}, cold`);
    const texts = [...(await Promise.all(bodies)), await page.content()];
    expect(texts.some((text) => text.includes('secrets:'))).toBe(true);
    expect(texts.filter((text) => text.includes(key))).toEqual([]);
    const port = new URL(consoleUrl).port;
    const kept = [
      path.join(path.dirname(builtServer()), '.next/static'),
      path.join(cacheDir, 'e2e', `data-${port}`),
    ].flatMap(filesIn);
    expect(kept.length).toBeGreaterThan(10);
    const logs = readdirSync(path.join(cacheDir, 'e2e'))
      .filter((name) => /^console-\d+\.log$/.test(name))
      .map((name) => path.join(cacheDir, 'e2e', name));
    expect([...kept, ...logs].filter((file) => readFileSync(file).includes(key))).toEqual([]);
  });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
