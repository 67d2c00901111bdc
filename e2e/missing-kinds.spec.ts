import { complaintsOf } from './setup/page-checks';
import { expect, test } from './setup/test';

test.use({ agents: false });

test('a cluster without the agents kinds: every page says which is missing and how to install it @fault', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const kinds = { pools: 'sandboxsets', sandboxes: 'sandboxes', upgrades: 'sandboxupdateops', stuck: 'sandboxes' };
  for (const [area, kind] of Object.entries(kinds)) {
    await page.goto(`/${area}`);
    await expect(
      page.getByRole('heading', { name: `This cluster does not serve ${kind}.agents.kruise.io` }),
    ).toBeVisible();
    await expect(page.getByText(`agents.kruise.io_${kind}.yaml`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'How to install OpenKruise Agents' })).toBeVisible();
  }
  await page.goto('/');
  await expect(
    page.getByRole('heading', { name: 'This cluster does not serve sandboxes.agents.kruise.io' }),
  ).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pools' })).toHaveText('Pools');
  expect(complaints).toEqual([]);
});
