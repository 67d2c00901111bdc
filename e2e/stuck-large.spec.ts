import { agentsPath } from './setup/objects';
import { grid } from './setup/table';
import { expect, test } from './setup/test';

// No controllers: the test writes ready-made sandboxes.
test.use({ scenario: 'large', sandboxes: 40 });

const cohorts = 'Cohorts';
const members = /^Members of/;

test('five thousand stuck at once: cohorts, members and keys stay at hand', async ({
  page,
  cluster,
  namespace,
}, info) => {
  test.setTimeout(240_000);
  const size = 5_000;
  const nodes = 20;
  const { api } = cluster;
  const nameOf = (index: number) => `box-${String(index).padStart(4, '0')}`;
  let next = 0;
  const write = async () => {
    while (next < size) {
      const index = next++;
      await api.create(agentsPath(namespace, 'sandboxes'), {
        apiVersion: 'agents.kruise.io/v1alpha1',
        kind: 'Sandbox',
        metadata: {
          name: nameOf(index),
          namespace,
          labels: {
            'agents.kruise.io/sandbox-claimed': 'true',
            'agents.kruise.io/sandbox-pool': index % 10 === 0 ? 'web' : 'tools',
          },
        },
        spec: { template: { spec: { containers: [{ name: 'sandbox', image: 'registry.local/e2e/tools:1.0' }] } } },
      });
      await api.patch(`${agentsPath(namespace, 'sandboxes', nameOf(index))}/status`, {
        status: {
          phase: 'Failed',
          message: 'Pod Not Found',
          observedGeneration: 1,
          nodeName: `worker-${(index % nodes) + 1}`,
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'PodReady',
              message: '',
              lastTransitionTime: '2026-11-03T08:00:00Z',
            },
          ],
        },
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
  await page.goto(`/stuck?ns=${namespace}`);
  await expect(page.getByRole('radio', { name: 'Overdue 5,000' })).toBeVisible({ timeout: 60_000 });
  const list = grid(page, cohorts);
  await expect(list).toHaveAttribute('aria-rowcount', '3');
  await expect(grid(page, members)).toHaveAttribute('aria-rowcount', '4501');

  // From a press to the cohorts of every node on the screen: how fast is for the log, a slow machine fails nothing.
  await page.getByRole('button', { name: 'Split' }).click();
  const started = Date.now();
  await page.getByRole('menuitemcheckbox', { name: 'Node' }).click();
  await expect(list).toHaveAttribute('aria-rowcount', String(nodes + 1));
  const description = `${Date.now() - started} ms`;
  info.annotations.push({ type: 'split', description });
  console.log('split', description);
  await page.keyboard.press('Escape');

  // Keys go through the members, and open one.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/[?&]peek=/);
  await page.keyboard.press('x');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(nameOf(4321));
  await expect(list).toHaveAttribute('aria-rowcount', '2');
  await expect(grid(page, members).getByRole('link', { name: nameOf(4321) })).toBeVisible();
});
