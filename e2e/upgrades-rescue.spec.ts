import { agentsPath, isTrue, sandboxesOf } from './setup/objects';
import { axeViolations, sound } from './setup/page-checks';
import { expect, test } from './setup/test';
import {
  createFleet,
  createOperation,
  fleet,
  imageOf,
  imagesOf,
  matrix,
  openOperation,
  patchTo,
  planStep,
  reaches,
  shellHook,
  startPlan,
} from './setup/upgrades';

const failures = 'What went wrong, and what helps';

test('a hook that failed is corrected and tried again on just those, and the same again is refused', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(150_000);
  const { api } = cluster;
  const names = await createFleet(api, namespace, 2);
  await createOperation(api, namespace, 'saves', {
    patch: patchTo('1.1'),
    updateStrategy: { maxUnavailable: 2 },
    lifecycle: { preUpgrade: shellHook('save --or=fail') },
  });
  await reaches(api, namespace, 'saves', { phase: 'Failed', failed: 2 });
  await openOperation(page, namespace, 'saves');
  const groups = page.getByRole('region', { name: failures });
  await expect(groups.getByText('PreUpgradeFailed')).toBeVisible();
  await expect(groups.getByText(/exit code 3/)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await groups.getByRole('button', { name: 'Plan for 2 sandboxes…' }).first().click();
  await planStep(page, 'Change').click();
  const refusal = page.getByText('2 sandboxes fail again at once');
  await expect(refusal).toBeVisible();
  await planStep(page, 'Safety').click();
  await page.getByRole('textbox', { name: 'Command of preUpgrade' }).fill('save --to=/data');
  await planStep(page, 'Change').click();
  await expect(refusal).toBeHidden();
  await startPlan(page, 2);
  await expect(page).toHaveURL(new RegExp(`/upgrades/${namespace}/saves-2`));
  await reaches(api, namespace, 'saves-2', { phase: 'Completed', updated: 2 });
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Done 2' })).toBeVisible();
  expect(await imagesOf(api, namespace)).toEqual(names.map(() => imageOf('1.1')));
});

test('a bad image deadlocks: it is explained, ended, planned again with a good one, and completed', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(180_000);
  const { api } = cluster;
  const names = await createFleet(api, namespace, 4);
  await page.goto(`/upgrades/${namespace}/typo?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: `No upgrade typo in ${namespace}` })).toBeVisible();
  await createOperation(api, namespace, 'typo', {
    patch: patchTo('1.1-bad'),
    updateStrategy: { maxUnavailable: '25%' },
  });
  const why = page.getByRole('region', { name: 'Why it is deadlocked' });
  await expect(why).toBeVisible({ timeout: 60_000 });
  await expect(
    why.getByText('3 sandboxes wait, and none starts while every slot is taken.', { exact: false }),
  ).toBeVisible();
  await expect(why.getByRole('button', { name: 'Set to 2…' })).toBeVisible();
  await expect(page.getByRole('region', { name: failures }).getByText(/ErrImagePull|ImagePullBackOff/)).toBeVisible();
  await expect(matrix(page).getByText('waits', { exact: true })).toHaveCount(3);
  await sound(page);

  // The plan is made while the old operation still holds the lock, and waits for it.
  await why.getByRole('button', { name: 'Plan again…' }).click();
  await planStep(page, 'Change').click();
  await page
    .getByRole('group', { name: 'Container sandbox' })
    .getByRole('textbox', { name: 'Image' })
    .fill(imageOf('1.1'));
  await planStep(page, 'Review').click();
  await expect(page.getByText(`typo holds the lock of ${namespace}`)).toBeVisible();
  await page.getByRole('link', { name: 'it', exact: true }).first().click();

  await why.getByRole('button', { name: 'Delete…' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete typo' });
  await expect(deleting.getByText(/stays failed in Upgrading until another operation takes it up/)).toBeVisible();
  await expect(deleting.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await deleting.getByRole('textbox', { name: /^Type typo to confirm/ }).fill('typo');
  expect(await axeViolations(page)).toEqual([]);
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await expect(deleting.getByText(/^Observed: /)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^Gone at /)).toBeVisible();

  await page.goto(`/upgrades/new?ns=${namespace}`);
  await startPlan(page, 4);
  await reaches(api, namespace, 'typo-2', { phase: 'Completed', updated: 4 });
  await expect(page.getByRole('radio', { name: 'Done 4' })).toBeVisible();
  expect(await imagesOf(api, namespace)).toEqual(names.map(() => imageOf('1.1')));
});

test('paused sandboxes are resumed, wait between the phases of a paused operation, and are paused again when done', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(180_000);
  const { api } = cluster;
  await createFleet(api, namespace, 2, { paused: true, startDelay: '3s' });
  await openOperationOf();
  // Paused while they wake up: the change waits for it to be continued.
  const resuming = async () => {
    const sandboxes = await sandboxesOf(api, namespace, fleet);
    return sandboxes.filter(({ status }) => status?.phase === 'Upgrading').length;
  };
  await expect.poll(resuming, { intervals: [50], timeout: 30_000 }).toBe(2);
  await api.patch(agentsPath(namespace, 'sandboxupdateops', 'asleep'), { spec: { paused: true } });
  const groups = page.getByRole('region', { name: failures });
  await expect(groups.getByText('Held up in Resuming')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/2 are resumed and wait for the change/)).toBeVisible();
  expect(await imagesOf(api, namespace)).toEqual([imageOf('1.0'), imageOf('1.0')]);
  expect(await axeViolations(page)).toEqual([]);

  await groups.getByRole('button', { name: 'Continue…' }).click();
  const going = page.getByRole('dialog', { name: 'Continue asleep' });
  await expect(going.getByText('2 that were resumed get the new template.')).toBeVisible();
  await going.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(going.getByText(/^Observed: /)).toBeVisible();
  await page.keyboard.press('Escape');
  await reaches(api, namespace, 'asleep', { phase: 'Completed', updated: 2 });
  await expect(page.getByRole('radio', { name: 'Done 2' })).toBeVisible();
  expect(await imagesOf(api, namespace)).toEqual([imageOf('1.1'), imageOf('1.1')]);
  const asleep = async () =>
    (await sandboxesOf(api, namespace, fleet)).every(
      (sandbox) => sandbox.status?.phase === 'Paused' && isTrue(sandbox, 'SandboxPaused'),
    );
  await expect.poll(asleep, { timeout: 30_000 }).toBe(true);
  // Resuming was part of it, and its time was seen.
  const cells = await matrix(page).locator('td[data-column="Resuming"]').allInnerTexts();
  expect(cells).toEqual([expect.stringMatching(/\d.s$/), expect.stringMatching(/\d.s$/)]);

  async function openOperationOf(): Promise<void> {
    // The console watches before it begins.
    await page.goto(`/upgrades?ns=${namespace}`);
    await expect(page.getByRole('heading', { name: 'No upgrades' })).toBeVisible();
    await createOperation(api, namespace, 'asleep', {
      patch: patchTo('1.1'),
      updateStrategy: { maxUnavailable: 2 },
      stateFilter: { states: ['Running', 'Paused'] },
    });
    await page.getByRole('grid').getByRole('link', { name: 'asleep' }).click();
  }
});

test('what an upgrade changed is rolled back by a plan of its own', async ({ page, cluster, namespace }) => {
  test.setTimeout(150_000);
  const { api } = cluster;
  await createFleet(api, namespace, 2);
  const before = (await sandboxesOf(api, namespace, fleet)).map(({ spec }) => JSON.stringify(spec.template));
  await page.goto(`/upgrades?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: 'No upgrades' })).toBeVisible();
  const patch = {
    spec: { containers: [{ name: 'sandbox', image: imageOf('1.1'), env: [{ name: 'ADDED', value: '1' }] }] },
  };
  await createOperation(api, namespace, 'to-1-1', { patch, updateStrategy: { maxUnavailable: 2 } });
  await reaches(api, namespace, 'to-1-1', { phase: 'Completed', updated: 2 });
  await openOperation(page, namespace, 'to-1-1');
  await page.getByRole('button', { name: 'Roll back…' }).click();
  const back = page.getByRole('dialog', { name: 'Roll back to-1-1' });
  await expect(back.getByRole('region', { name: 'Patch that brings back what was before' })).toContainText(
    imageOf('1.0'),
  );
  expect(await axeViolations(page)).toEqual([]);
  await back.getByRole('button', { name: 'Plan for the 2 done…' }).click();
  await startPlan(page, 2);
  await expect(page).toHaveURL(new RegExp(`/upgrades/${namespace}/to-1-2`));
  await reaches(api, namespace, 'to-1-2', { phase: 'Completed', updated: 2 });
  expect((await sandboxesOf(api, namespace, fleet)).map(({ spec }) => JSON.stringify(spec.template))).toEqual(before);
});

test('what a deleted operation left on the one in flight is found, and cleaned on request', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(150_000);
  const { api } = cluster;
  const [name = ''] = await createFleet(api, namespace, 1, { startDelay: '3s' });
  const path = agentsPath(namespace, 'sandboxes', name);
  await createOperation(api, namespace, 'given-up', { patch: patchTo('1.1') });
  await expect.poll(() => api.get(path), { intervals: [50] }).toMatchObject({ status: { phase: 'Upgrading' } });
  await api.remove(agentsPath(namespace, 'sandboxupdateops', 'given-up'));
  await expect.poll(() => api.get(path), { timeout: 30_000 }).toMatchObject({ status: { phase: 'Running' } });

  await page.goto(`/sandboxes/${namespace}/${name}?ns=${namespace}`);
  await expect(page.getByText('An ended operation left something here')).toBeVisible();
  await page.goto(`/upgrades?ns=${namespace}`);
  await page.getByRole('radio', { name: 'Leftovers 1' }).click();
  await page.getByRole('button', { name: 'Clean all 1…' }).click();
  const cleaning = page.getByRole('dialog', { name: 'Clean 1 sandbox' });
  await expect(cleaning.getByText('would be cleaned')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await cleaning.getByRole('button', { name: 'Clean 1', exact: true }).click();
  await expect(cleaning.getByText('1 of 1 seen clean by the watch')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Nothing is left over' })).toBeVisible();
  expect(await api.get(path)).not.toHaveProperty('spec.upgradePolicy');
});
