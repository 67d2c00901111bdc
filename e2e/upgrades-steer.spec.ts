import { complaintsOf, sound } from './setup/page-checks';
import { expect, test } from './setup/test';
import {
  createFleet,
  createOperation,
  imageOf,
  imagesOf,
  matrix,
  openOperation,
  patchTo,
  reaches,
  readOperation,
  shellHook,
} from './setup/upgrades';

test('an upgrade of twelve is paused and continued, its limit raised, and watched to its end', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(180_000);
  const { api } = cluster;
  const names = await createFleet(api, namespace, 12, { startDelay: '2s' });
  const complaints = complaintsOf(page);
  await page.goto(`/upgrades?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: 'No upgrades' })).toBeVisible();
  await createOperation(api, namespace, 'to-1-1', { patch: patchTo('1.1'), updateStrategy: { maxUnavailable: 2 } });
  await expect(page.getByText(`Lock of ${namespace} held by to-1-1`)).toBeVisible();
  await sound(page);
  await page.getByRole('grid').getByRole('link', { name: 'to-1-1' }).click();

  // One row a sandbox, those that wait included.
  await expect(page.getByRole('tab', { name: 'Stages 12' })).toBeVisible();
  await expect(matrix(page).getByText('waits', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Pause…' }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause to-1-1' });
  await expect(pausing.getByText(/in flight keeps? going to (its|their) end|Nothing is in flight/)).toBeVisible();
  await expect(pausing.getByText('Dry run accepted by the server')).toBeVisible();
  expect((await readOperation(api, namespace, 'to-1-1')).paused).toBe(false);
  await sound(page);
  await pausing.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(pausing.getByText(/^Observed: spec\.paused is true/)).toBeVisible();
  await pausing.getByRole('button', { name: 'Close' }).last().click();

  // What is in flight goes on to its end; nothing new starts.
  await reaches(api, namespace, 'to-1-1', { paused: true, updating: 0 });
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  const { updated } = await readOperation(api, namespace, 'to-1-1');
  expect(updated).toBeLessThan(12);
  await expect(page.getByRole('radio', { name: `Done ${updated}` })).toBeVisible();
  await expect(page.getByRole('radio', { name: `Waiting ${12 - updated}` })).toBeVisible();

  await page.getByRole('button', { name: 'Change limit…' }).first().click();
  const limit = page.getByRole('dialog', { name: 'Change the limit of to-1-1' });
  await limit.getByRole('textbox', { name: 'maxUnavailable' }).fill('50%');
  await expect(limit.getByText('2 → 6 at a time, of 12.')).toBeVisible();
  await expect(limit.getByText('Dry run accepted by the server')).toBeVisible();
  await sound(page);
  await page.keyboard.press('Enter');
  await expect(limit.getByText(/^Observed: 6 at a time/)).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Continue…' }).click();
  const going = page.getByRole('dialog', { name: 'Continue to-1-1' });
  await going.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(going.getByText(/^Observed: spec\.paused is false/)).toBeVisible();
  await page.keyboard.press('Escape');

  await reaches(api, namespace, 'to-1-1', { phase: 'Completed', updated: 12 });
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Done 12' })).toBeVisible();
  expect(await imagesOf(api, namespace)).toEqual(names.map(() => imageOf('1.1')));

  await page.getByRole('tab', { name: 'Change and settings' }).click();
  const diff = page.getByRole('region', { name: /^Template of box-\d+ before and after$/ });
  await expect(diff).toContainText(imageOf('1.0'));
  await expect(diff).toContainText(imageOf('1.1'));
  await sound(page);
  await page.getByRole('tab', { name: 'Pods' }).click();
  await expect(page.getByRole('grid', { name: 'Pods' })).toHaveAttribute('aria-rowcount', '13');
  expect(complaints).toEqual([]);
});

test('a guard pauses an operation at the first failure, and says so to everybody who looks', async ({
  page,
  cluster,
  namespace,
}) => {
  test.setTimeout(120_000);
  const { api } = cluster;
  await createFleet(api, namespace, 4);
  await createOperation(api, namespace, 'guarded', {
    patch: patchTo('1.1'),
    paused: true,
    updateStrategy: { maxUnavailable: 3 },
    lifecycle: { postUpgrade: shellHook('warm-up --or=fail') },
  });
  await openOperation(page, namespace, 'guarded');
  await page.getByRole('button', { name: 'Actions for guarded' }).click();
  await page.getByRole('menuitem', { name: 'Automatic pause…' }).click();
  const guard = page.getByRole('dialog', { name: 'Automatic pause of guarded' });
  await guard.getByRole('textbox', { name: 'Failed sandboxes' }).fill('1');
  await guard.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(guard.getByText('Armed: pauses at 1 failure.')).toBeVisible();
  await sound(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Continue…' }).click();
  await page
    .getByRole('dialog', { name: 'Continue guarded' })
    .getByRole('button', { name: 'Continue', exact: true })
    .click();
  await reaches(api, namespace, 'guarded', { paused: true });
  await expect(page.getByText(/^Automatic pause at .*: the limit of 1 failure was reached$/)).toBeVisible({
    timeout: 30_000,
  });
  await page.reload();
  await expect(page.getByText(/^Automatic pause at .*: the limit of 1 failure was reached$/)).toBeVisible();
  await sound(page);
});
