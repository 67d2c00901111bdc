import type { Locator, Page } from '@playwright/test';
import { z } from 'zod';
import type { Api } from '../server/embedded/controllers/client/api';
import { agentsPath, createPool, sandboxesOf } from './setup/objects';
import { axeViolations, complaintsOf, overflow, rawMessages } from './setup/page-checks';
import { claimOne, hangInResuming } from './setup/stuck-resume';
import { grid, rowOf } from './setup/table';
import { expect, test } from './setup/test';

async function sound(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await rawMessages(page)).toEqual([]);
  expect(await overflow(page)).toEqual([]);
}

const withUid = z.looseObject({ metadata: z.looseObject({ uid: z.string() }) });
const podUid = async (api: Api, namespace: string, name: string) =>
  withUid.parse(await api.get(`/api/v1/namespaces/${namespace}/pods/${name}`)).metadata.uid;

const accepted = (dialog: Locator) => expect(dialog.getByText('Dry run accepted by the server')).toBeVisible();

test('a session is paused and resumed: the receipt names the new pod', async ({ page, cluster, namespace }) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  const name = await claimOne(cluster.api, namespace, 'lunch', 'registry.local/e2e/runtime:1.0');
  const before = await podUid(cluster.api, namespace, name);
  await page.goto(`/sandboxes/${namespace}/${name}`);
  await page.getByRole('button', { name: 'Pause…' }).click();
  const pausing = page.getByRole('dialog', { name: `Pause ${name}` });
  await expect(pausing.getByText(/^Lost: memory, root file system/)).toBeVisible();
  await expect(pausing.getByText(/^A claimed session is affected:/)).toBeVisible();
  await accepted(pausing);
  await expect(pausing.getByText(/kubectl -n/).first()).toBeVisible();
  await sound(page);
  await pausing.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(pausing.getByText(/^Observed: paused, its pod is gone/)).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Resume…' }).focus();
  await page.keyboard.press('Enter');
  const resuming = page.getByRole('dialog', { name: `Resume ${name}` });
  await accepted(resuming);
  await resuming.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(resuming.getByText(/^Observed: running, new pod/)).toBeVisible();
  const after = await podUid(cluster.api, namespace, name);
  expect(after).not.toBe(before);
  await expect(
    resuming.getByText(new RegExp(`new pod ${after.slice(0, 4)}.* in place of ${before.slice(0, 4)}`)),
  ).toBeVisible();
  await sound(page);
  await page.keyboard.press('Escape');
  await expect(resuming).toBeHidden();
  expect(complaints).toEqual([]);
});

test('a deadline is extended from where it counts down', async ({ page, cluster, namespace }) => {
  const { api } = cluster;
  const name = await claimOne(api, namespace, 'timed');
  const at = Date.now() + 10 * 60_000;
  const shutdownTime = `${new Date(at).toISOString().slice(0, 19)}Z`;
  await api.patch(agentsPath(namespace, 'sandboxes', name), { spec: { shutdownTime } });
  await page.goto(`/sandboxes?ns=${namespace}`);
  await rowOf(grid(page, 'Sandboxes'), name)
    .getByRole('button', { name: /^shuts down in/ })
    .click();
  const dialog = page.getByRole('dialog', { name: `Deadline of ${name}` });
  await accepted(dialog);
  await sound(page);
  await dialog.getByRole('button', { name: 'Set deadline' }).click();
  await expect(dialog.getByText(/^Observed: shutdownTime/)).toBeVisible();
  const extended = async () => (await sandboxesOf(api, namespace, 'team=timed'))[0]?.spec.shutdownTime;
  expect(await extended()).toBe(`${new Date(Date.parse(shutdownTime) + 3_600_000).toISOString().slice(0, 19)}Z`);
  await page.keyboard.press('Escape');
  await expect(rowOf(grid(page, 'Sandboxes'), name)).toContainText('shuts down in 1h');
});

test('several are deleted at once; the one that changed hands meanwhile stays', async ({
  page,
  cluster,
  namespace,
}) => {
  const { api } = cluster;
  await createPool(api, namespace, 'many', { replicas: 3 });
  await page.goto(`/sandboxes?ns=${namespace}`);
  const list = grid(page, 'Sandboxes');
  await expect(list.getByText('Available')).toHaveCount(3);
  const names = (await sandboxesOf(api, namespace)).map(({ metadata }) => metadata.name);
  const taken = names[1] ?? '';
  for (const name of names) await rowOf(list, name).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Act on 3' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 3 sandboxes' });
  await expect(dialog.getByText('3 are idle in a pool, which makes others.')).toBeVisible();
  const outcomes = dialog.getByRole('region', { name: 'Outcomes' });
  await expect(outcomes.getByText('accepted')).toHaveCount(3);
  // Somebody claims it while the question stands.
  await api.patch(agentsPath(namespace, 'sandboxes', taken), {
    metadata: {
      ownerReferences: null,
      annotations: { 'agents.kruise.io/owner': 'ana' },
      labels: { 'agents.kruise.io/sandbox-claimed': 'true' },
    },
  });
  await dialog.getByRole('radio', { name: 'Go on' }).check();
  await sound(page);
  await dialog.getByRole('button', { name: 'Delete 3' }).click();
  await expect(outcomes.getByRole('row', { name: new RegExp(taken) })).toContainText('refused');
  await expect(outcomes.getByRole('row', { name: new RegExp(taken) })).toContainText('is ana now');
  await expect(outcomes.getByText('accepted')).toHaveCount(2);
  await expect(dialog.getByText('3 of 3 answered, 2 accepted. Seen in the cluster: 2.')).toBeVisible();
  await sound(page);
  const left = (await sandboxesOf(api, namespace)).map(({ metadata }) => metadata.name);
  expect(left).toContain(taken);
  expect(left).not.toContain(names[0]);
});

test('pods of several are deleted at once, with the keyboard alone: each names its new one', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  const { api } = cluster;
  const names = await Promise.all(['one', 'two'].map((team) => hangInResuming(api, namespace, team)));
  // The pod of a resume comes in its own time.
  const thePod = (name: string) => expect.poll(() => podUid(api, namespace, name).catch(() => ''));
  for (const name of names) await thePod(name).not.toBe('');
  const before = await Promise.all(names.map((name) => podUid(api, namespace, name)));
  await page.goto(`/sandboxes?ns=${namespace}`);
  const list = grid(page, 'Sandboxes');
  for (const name of names) await rowOf(list, name).getByRole('checkbox').press('Space');
  const opener = page.getByRole('button', { name: 'Act on 2' });
  await opener.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete pod…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete the pods of 2 sandboxes' });
  await expect(dialog.getByText('2 of 2 would be accepted')).toBeVisible();
  await dialog.getByRole('textbox', { name: /^Reason/ }).press('Enter');
  const outcomes = dialog.getByRole('region', { name: 'Outcomes' });
  for (const [index, name] of names.entries()) {
    const row = outcomes.getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText(/Observed: new pod .+ in place of/, { timeout: 30_000 });
    const after = await podUid(api, namespace, name);
    await expect(row).toContainText(`new pod ${after.slice(0, 4)}`);
    await expect(row).toContainText(`in place of ${before[index]?.slice(0, 4)}`);
  }
  await sound(page);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('deleting the pod of one that hangs is said to be in vain; the tag and then the pod free it', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  const { api } = cluster;
  const complaints = complaintsOf(page);
  const name = await hangInResuming(api, namespace, 'stuck');
  await page.goto(`/sandboxes/${namespace}/${name}`);
  await expect(page.getByRole('main')).toContainText('Never converges', { timeout: 30_000 });
  const before = await podUid(api, namespace, name);

  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete pod…' }).click();
  const deleting = page.getByRole('dialog', { name: `Delete the pod of ${name}` });
  await expect(deleting.getByText('Deleting the pod cannot help here')).toBeVisible();
  await accepted(deleting);
  await sound(page);
  await deleting.getByRole('button', { name: 'Delete pod', exact: true }).click();
  await expect(deleting.getByText(/^Observed: new pod/)).toBeVisible({ timeout: 30_000 });
  const second = await podUid(api, namespace, name);
  expect(second).not.toBe(before);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main')).toContainText('Never converges');

  await page.getByRole('button', { name: 'Change images…' }).click();
  const changing = page.getByRole('dialog', { name: `Change images of ${name}` });
  const image = changing.getByRole('textbox', { name: 'Init container agent-runtime' });
  await expect(image).toHaveValue('registry.local/e2e/runtime:');
  await image.fill('registry.local/e2e/runtime:1.0');
  await expect(changing.getByRole('checkbox', { name: 'Then delete the pod' })).toBeChecked();
  await accepted(changing);
  await sound(page);
  await changing.getByRole('button', { name: 'Change images', exact: true }).click();
  await expect(changing.getByText(/^Observed: new pod/)).toBeVisible({ timeout: 30_000 });
  const [freed] = await sandboxesOf(api, namespace, 'team=stuck');
  expect(freed?.status?.phase).toBe('Running');
  expect(await podUid(api, namespace, name)).not.toBe(second);
  expect(complaints).toEqual([]);
});

test('a finalizer that nobody takes off is taken off by hand', async ({ page, cluster, namespace }) => {
  const { api } = cluster;
  const name = await claimOne(api, namespace, 'held');
  await api.patch(agentsPath(namespace, 'sandboxes', name), { metadata: { finalizers: ['example.com/hold'] } });
  await page.goto(`/sandboxes/${namespace}/${name}`);
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const deleting = page.getByRole('dialog', { name: `Delete ${name}` });
  const submit = deleting.getByRole('button', { name: 'Delete', exact: true });
  await expect(submit).toHaveAttribute('aria-disabled', 'true');
  await deleting.getByRole('textbox', { name: /^A session ends/ }).fill(name);
  await accepted(deleting);
  await submit.click();
  await expect(deleting.getByText(/^Accepted\. Waiting for the watch/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main').getByText('Terminating').first()).toBeVisible();

  await page.getByRole('button', { name: 'Remove finalizer…' }).click();
  const removing = page.getByRole('dialog', { name: `Remove a finalizer from ${name}` });
  await removing.getByRole('combobox', { name: 'Finalizer' }).selectOption('example.com/hold');
  await expect(removing.getByText('example.com/hold is not of OpenKruise Agents: ask its owner first.')).toBeVisible();
  await accepted(removing);
  await sound(page);
  await removing.getByRole('button', { name: 'Remove finalizer', exact: true }).click();
  await expect(removing.getByText(/^Observed: gone/)).toBeVisible();
  expect(await sandboxesOf(api, namespace, 'team=held')).toEqual([]);
});
