import { expect, type Locator, type Page } from '@playwright/test';
import { resources } from '../../server/embedded/controllers/client/resources';
import type { Cluster } from './cluster';
import { isTrue, podList, poolList, type Sandbox, sandboxList } from './objects';
import { grid, readRows } from './table';

/** What the lists show and what the cluster holds, in one form, so that the two can be compared row by row. */

type Lists = Pick<Cluster, 'list'>;

const byName = <T extends { name: string }>(rows: T[]): T[] => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The state that the list shows for a sandbox at rest; any other phase stays as the cluster has it. */
function stateAtRest(sandbox: Sandbox): string {
  const phase = sandbox.status?.phase ?? '';
  if (sandbox.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (phase === 'Paused' && isTrue(sandbox, 'SandboxPaused')) return 'Paused';
  if (phase !== 'Running' || !isTrue(sandbox, 'Ready')) return `not at rest: ${phase}`;
  return sandbox.metadata.ownerReferences?.some(({ kind }) => kind === 'SandboxSet') ? 'Available' : 'Running';
}

export async function sandboxesInCluster(cluster: Lists, namespace: string) {
  const { items } = sandboxList.parse(await cluster.list(namespace, resources.sandboxes));
  const pods = podList.parse(await cluster.list(namespace, resources.pods)).items;
  return byName(
    items.map((sandbox) => ({
      name: sandbox.metadata.name,
      state: stateAtRest(sandbox),
      node: pods.find((pod) => pod.metadata.name === sandbox.metadata.name)?.spec.nodeName ?? '–',
      pool: sandbox.metadata.labels?.['agents.kruise.io/sandbox-pool'] ?? '–',
    })),
  );
}

export async function sandboxesOnScreen(page: Page) {
  const rows = await readRows(grid(page, 'Sandboxes'));
  return byName(
    rows.map((row) => ({
      name: row.Name ?? '',
      state: row.State ?? '',
      node: row.Node ?? '',
      pool: row.Pool ?? '',
    })),
  );
}

export async function poolsInCluster(cluster: Lists, namespace: string) {
  const { items } = poolList.parse(await cluster.list(namespace, resources.sandboxsets));
  return byName(
    items.map(({ metadata, spec, status }) => ({
      name: `${metadata.name}${namespace}`,
      stock: `${status?.availableReplicas ?? 0} / ${spec.replicas}`,
    })),
  );
}

export async function poolsOnScreen(page: Page) {
  const rows = await readRows(grid(page, 'Pools'));
  return byName(rows.map((row) => ({ name: row.Pool ?? '', stock: row['Available / desired'] ?? '' })));
}

export const chip = (page: Page): Locator => page.getByRole('button', { name: /^Freshness: / });

/** The colour of the state of the first sandbox that is available: another one while the rows are not of now. */
export async function inkOfRows(page: Page): Promise<string> {
  const state = grid(page, 'Sandboxes').getByText('Available').first();
  let ink = '';
  // One that is drawn anew in this moment has none.
  await expect
    .poll(async () => {
      ink = await state.evaluate((text) => getComputedStyle(text).color);
      return ink;
    })
    .not.toBe('');
  return ink;
}
