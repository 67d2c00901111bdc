import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './setup/test';

test.use({ scenario: 'lively' });

test('the first page opens, says which cluster it shows, and has no accessibility violation', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/');
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await expect(page.getByRole('main')).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)).toEqual([]);
  expect(errors).toEqual([]);
});
