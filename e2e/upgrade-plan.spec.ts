import type { Page } from '@playwright/test';
import type { Cluster } from './setup/cluster';
import { agentsPath, claim, createPool, firstImage, sandboxesOf } from './setup/objects';
import { complaintsOf, sound } from './setup/page-checks';
import { expect, test } from './setup/test';
import { fleet, imageOf, labels, operationOf, patchTo, planStep, startAndConfirm, startButton } from './setup/upgrades';

const nextImage = imageOf('1.1');

/** A pool of whose sandboxes some are in use. */
async function fleetOf(cluster: Cluster, namespace: string, size: number): Promise<void> {
  await createPool(cluster.api, namespace, 'tools', { replicas: size });
  await claim(cluster.api, namespace, 'tools', size, labels);
  const running = async () => {
    const claimed = await sandboxesOf(cluster.api, namespace, fleet);
    return claimed.filter(({ status }) => status?.phase === 'Running').length;
  };
  await expect.poll(running, { timeout: 30_000 }).toBe(size);
}

const image = (page: Page) =>
  page.getByRole('group', { name: 'Container sandbox' }).getByRole('textbox', { name: 'Image' });

/** An operation that holds the lock of its namespace and does nothing. */
const holder = (namespace: string, name: string) =>
  operationOf(namespace, name, { paused: true, patch: patchTo('other') });

test('claimed sandboxes of a pool are upgraded as planned, and a reload in the middle loses nothing', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(150_000);
  await fleetOf(cluster, namespace, 3);
  const before = await sandboxesOf(cluster.api, namespace, fleet);
  const complaints = complaintsOf(page);
  await page.goto(`/pools/${namespace}/tools?ns=${namespace}`);
  await page.getByRole('link', { name: 'Upgrade claimed…' }).click();
  const taken = page.getByRole('grid', { name: 'Sandboxes that are taken' });
  for (const { metadata } of before) await expect(taken.getByRole('link', { name: metadata.name })).toBeVisible();
  await expect(page.getByText('Not claimed')).toBeVisible();
  await sound(page);

  await planStep(page, 'Change').click();
  await image(page).fill(nextImage);
  await expect(page.getByText(/^3 sandboxes change like /)).toBeVisible();
  await sound(page);
  await page.reload();
  await expect(image(page)).toHaveValue(nextImage);
  await page.getByRole('radio', { name: 'YAML' }).click();
  await expect(page.getByRole('textbox', { name: 'Strategic merge patch as YAML' })).toContainText(nextImage);

  await planStep(page, 'Safety').click();
  await page.getByRole('textbox', { name: 'maxUnavailable' }).fill('2');
  await expect(page.getByText('2 failures stop the operation for good')).toBeVisible();
  await sound(page);

  await planStep(page, 'Review').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('to-1-1');
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'maxUnavailable' })).toHaveValue('2');
  await page.goForward();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('to-1-1');
  await page.getByRole('textbox', { name: 'Reason' }).fill('new base image');
  await expect(page.getByText('Dry run accepted by the server')).toBeVisible();
  await expect(page.getByText('3 sessions are interrupted, 2 at a time')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Manifest' })).toContainText(`image: ${nextImage}`);
  await sound(page);
  await startAndConfirm(page, 3);
  await expect(page.getByRole('main').getByText('Upgrade to-1-1 created')).toBeVisible();
  await expect(page.getByText(/^Observed: the watch shows it/)).toBeVisible();
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('upgrade-plan')));
  await expect.poll(kept).toEqual([]);
  await page.getByRole('link', { name: 'Watch it' }).click();
  await expect(page).toHaveURL(new RegExp(`/upgrades/${namespace}/to-1-1`));
  expect(complaints).toEqual([]);

  const phase = () => cluster.api.get(agentsPath(namespace, 'sandboxupdateops', 'to-1-1'));
  await expect.poll(phase, { timeout: 60_000 }).toMatchObject({ status: { phase: 'Completed', updatedReplicas: 3 } });
  const after = await sandboxesOf(cluster.api, namespace, fleet);
  const templates = (list: typeof after) =>
    Object.fromEntries(list.map(({ metadata, spec }) => [metadata.uid, JSON.stringify(spec.template)]));
  const wanted = Object.entries(templates(before)).map(([uid, text]) => [uid, text.replace(firstImage, nextImage)]);
  expect(templates(after)).toEqual(Object.fromEntries(wanted));
});

test('a second operation is refused in the API server’s words, and the plan is kept until it can start @webhooks', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  const { api } = cluster;
  await fleetOf(cluster, namespace, 2);
  await page.goto(`/pools/${namespace}/tools?ns=${namespace}`);
  await expect(page.getByRole('link', { name: 'Upgrade claimed…' })).toBeVisible();
  await page.keyboard.press('u');
  await planStep(page, 'Change').click();
  await image(page).fill(nextImage);
  await planStep(page, 'Review').click();
  await expect(page.getByText('Dry run accepted by the server')).toBeVisible();

  // Somebody else's operation comes between this page's last look and its write; the webhook's cache takes a moment to see it.
  const operations = agentsPath(namespace, 'sandboxupdateops');
  const probe = () => api.create(`${operations}?dryRun=All`, holder(namespace, 'probe')).then(() => 'accepted', String);
  await page.route('**/api/v1/upgrades', async (route) => {
    if (route.request().postDataJSON().dryRun === false) {
      await api.create(operations, holder(namespace, 'theirs'));
      await expect.poll(probe).toContain('there is an active SandboxUpdateOps');
    }
    await route.continue();
  });
  await startAndConfirm(page, 2);
  const words = /admission webhook "v-suo\.kb\.io" denied the request: .*there is an active SandboxUpdateOps/;
  const refusal = page.getByRole('alert').filter({ hasText: words });
  await expect(refusal).toContainText('Not applied');
  await page.unroute('**/api/v1/upgrades');

  await expect(page.getByText(`theirs holds the lock of ${namespace}`)).toBeVisible();
  await expect(startButton(page)).toBeDisabled();
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'The dry run was refused' })).toContainText(words);
  await planStep(page, 'Change').click();
  await expect(image(page)).toHaveValue(nextImage);

  await api.remove(agentsPath(namespace, 'sandboxupdateops', 'theirs'));
  await planStep(page, 'Review').click();
  await expect(page.getByText('Dry run accepted by the server')).toBeVisible();
  await startAndConfirm(page, 2);
  await expect(page.getByRole('main').getByText(/^Upgrade .* created$/)).toBeVisible();
});
