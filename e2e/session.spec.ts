import { claim, createPool, sandboxesOf, setPaused } from './setup/objects';
import { grid, rowOf } from './setup/table';
import { expect, test } from './setup/test';

test('a claimed sandbox is paused and resumed: list and page follow it through every state', async ({
  page,
  context,
  cluster,
  namespace,
}) => {
  const { api } = cluster;
  // Slow enough that nobody can miss the states between.
  const annotations = { 'sim.local/start-delay': '4s', 'sim.local/stop-delay': '4s' };
  await createPool(api, namespace, 'tools', { replicas: 1, annotations });
  await page.goto(`/sandboxes?ns=${namespace}`);
  const list = grid(page, 'Sandboxes');
  await expect(list.getByText('Creating')).toBeVisible();
  await expect(list.getByText('Available')).toBeVisible();

  await claim(api, namespace, 'tools', 1, { team: 'session' });
  await expect.poll(async () => (await sandboxesOf(api, namespace, 'team=session')).length).toBe(1);
  const name = (await sandboxesOf(api, namespace, 'team=session'))[0]?.metadata.name ?? '';
  const row = rowOf(list, name);
  await expect(row.getByText('Running')).toBeVisible();
  const detail = await context.newPage();
  await detail.goto(`/sandboxes/${namespace}/${name}?ns=${namespace}`);
  const strip = detail.getByRole('main').getByRole('definition').first();
  await expect(strip).toHaveText('Running');

  const bothShow = (state: string) =>
    Promise.all([expect(row.getByText(state, { exact: true })).toBeVisible(), expect(strip).toHaveText(state)]);
  await setPaused(api, namespace, name, true);
  await bothShow('Pausing');
  await bothShow('Paused');
  await setPaused(api, namespace, name, false);
  await bothShow('Resuming');
  await bothShow('Running');

  await api.remove(`/apis/agents.kruise.io/v1alpha1/namespaces/${namespace}/sandboxes/${name}`);
  await expect(row).toHaveCount(0);
  await expect(detail.getByText('Deleted while you looked. What is shown is what was known last.')).toBeVisible();
});
