import type { Locator, Page } from '@playwright/test';
import { agentsPath, createPool, firstImage, readPool, sandboxesOf } from './setup/objects';
import { expect, test } from './setup/test';

const nextImage = 'registry.local/e2e/tools:1.1';

async function openTemplate(page: Page, namespace: string): Promise<Locator> {
  await page.goto(`/pools/${namespace}/tools?ns=${namespace}`);
  await page.getByRole('button', { name: 'Change template…' }).click();
  return page.getByRole('dialog', { name: 'Change template of tools' });
}

const image = (drawer: Locator) =>
  drawer.getByRole('group', { name: 'Container sandbox' }).getByRole('textbox', { name: 'Image' });

/** A merge patch would erase the siblings, so this names the one place. */
const otherImage = (value: string) => [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value }];

test('an image is rolled: everything beside it survives, and the rollout is followed to its end', async ({
  page,
  cluster,
  namespace,
}) => {
  const { api } = cluster;
  const before = await createPool(api, namespace, 'tools', { replicas: 3 });
  const drawer = await openTemplate(page, namespace);
  await expect(image(drawer)).toHaveValue(firstImage);
  await image(drawer).fill(nextImage);
  await expect(drawer.getByText('Dry run accepted by the server')).toBeVisible();
  await expect(drawer.getByText(/^Rolls idle sandboxes, 1 at a time/)).toBeVisible();
  await expect(drawer.getByText(/^kubectl .*patch/)).toContainText(nextImage);
  expect((await readPool(api, namespace, 'tools')).spec).toEqual(before.spec);

  await drawer.getByRole('button', { name: 'Apply template' }).click();
  await expect(drawer.getByText('Template of tools changed')).toBeVisible();
  await expect(drawer.getByText(/^Observed: generation 2 /)).toBeVisible();
  await drawer.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('tab', { name: 'Rollout' }).click();
  await expect(page.getByText(/^Every idle member is of revision /)).toBeVisible({ timeout: 45_000 });

  const wanted = JSON.stringify(before.spec).replace(firstImage, nextImage);
  expect((await readPool(api, namespace, 'tools')).spec).toEqual(JSON.parse(wanted));
  const images = async () => {
    const members = await sandboxesOf(api, namespace);
    const alive = members.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return alive.map(({ spec }) => JSON.stringify(spec.template).includes(`"${nextImage}"`));
  };
  await expect.poll(images).toEqual([true, true, true]);
});

test('somebody else was faster: the write is refused in words, and nothing typed is lost', async ({
  page,
  cluster,
  namespace,
}) => {
  const { api } = cluster;
  await createPool(api, namespace, 'tools', { replicas: 1 });
  const theirs = 'registry.local/e2e/tools:theirs';
  // The other change arrives between this page's look at the pool and its write.
  await page.route('**/template', async (route) => {
    if (route.request().postDataJSON().dryRun === false)
      await api.patch(agentsPath(namespace, 'sandboxsets', 'tools'), otherImage(theirs), 'json');
    await route.continue();
  });
  const drawer = await openTemplate(page, namespace);
  await image(drawer).fill(nextImage);
  await expect(drawer.getByText('Dry run accepted by the server')).toBeVisible();
  await drawer.getByRole('button', { name: 'Apply template' }).click();

  const refusal = drawer.getByRole('alert').filter({ hasText: 'Not applied' });
  await expect(refusal).toContainText('Somebody was faster.');
  await expect(drawer.getByText('The template changed underneath', { exact: true })).toBeVisible();
  await expect(image(drawer)).toHaveValue(nextImage);
  const container = () => readPool(api, namespace, 'tools').then(({ spec }) => JSON.stringify(spec.template));
  expect(await container()).toContain(`"${theirs}"`);

  await page.unroute('**/template');
  await drawer.getByRole('button', { name: 'Continue from the new template' }).click();
  await expect(drawer.getByText(/^You both changed .*: what you typed stands\.$/)).toBeVisible();
  await expect(image(drawer)).toHaveValue(nextImage);
  await drawer.getByRole('button', { name: 'Apply template' }).click();
  await expect(drawer.getByText('Template of tools changed')).toBeVisible();
  expect(await container()).toContain(`"${nextImage}"`);
});

test('the admission webhook refuses: its words are shown, and what was typed stays @fault', async ({
  page,
  cluster,
  namespace,
}) => {
  const before = await createPool(cluster.api, namespace, 'tools', { replicas: 1 });
  const drawer = await openTemplate(page, namespace);
  await drawer.getByRole('radio', { name: 'YAML' }).click();
  const editor = drawer.getByRole('textbox', { name: 'Template as YAML' });
  await expect(editor).toContainText('app: e2e');
  const reserved = 'e2b.agents.kruise.io/owner: somebody';
  await editor.getByText('app: e2e').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText(reserved);
  await expect(editor).toContainText(reserved);

  const refusal = drawer.getByRole('alert').filter({ hasText: 'The dry run was refused' });
  const words = 'admission webhook "v-sbs.kb.io" denied the request';
  await expect(refusal).toContainText(words);
  await expect(refusal).toContainText('label cannot start with e2b.agents.kruise.io/');
  await expect(drawer.getByRole('button', { name: 'Apply template' })).toBeDisabled();
  await expect(editor).toContainText(reserved);
  expect((await readPool(cluster.api, namespace, 'tools')).spec).toEqual(before.spec);

  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change template…' }).click();
  await expect(drawer.getByText('Your unsent changes are still here.')).toBeVisible();
  await drawer.getByRole('radio', { name: 'YAML' }).click();
  await expect(editor).toContainText(reserved);
});
