import type { Locator } from '@playwright/test';
import type { Api } from '../server/embedded/controllers/client/api';
import { agentsPath } from './setup/objects';
import { expect, test } from './setup/test';
import { matrix, openOperation, patchTo } from './setup/upgrades';

// No controllers: the test writes ready-made sandboxes, and changes them as fast as a large upgrade does.
test.use({ scenario: 'large', sandboxes: 40 });

const size = 5_000;
const failing = 37;
const done = 2_000;
const nodes = 20;
const writers = 16;
const nameOf = (index: number) => `box-${String(index).padStart(4, '0')}`;
const stages = ['UpgradePod', 'PostUpgrade'];
const message = `hook failed with exit code 3, stderr: ${'no space left on device '.repeat(20)}`;

/** Ready-made: failed, in work, or done. The node of one in work is that of its Pod, which has none here. */
function statusOf(reason: string, index: number): object {
  const done = reason === 'Succeeded';
  const flip = { lastTransitionTime: '2026-11-03T08:00:00Z' };
  return {
    status: {
      phase: done ? 'Running' : 'Upgrading',
      observedGeneration: 1,
      nodeName: `worker-${(index % nodes) + 1}`,
      conditions: [
        {
          type: 'Ready',
          status: done ? 'True' : 'False',
          reason: done ? 'PodReady' : 'Upgrading',
          message: '',
          ...flip,
        },
        {
          type: 'Upgrading',
          status: done ? 'True' : 'False',
          reason,
          message: reason.endsWith('Failed') ? message : '',
          ...flip,
        },
      ],
    },
  };
}

const reasonOf = (index: number) =>
  index < failing ? 'PostUpgradeFailed' : index < size - done ? 'UpgradePod' : 'Succeeded';

const write = (api: Api, namespace: string, index: number, reason: string) =>
  api.patch(`${agentsPath(namespace, 'sandboxes', nameOf(index))}/status`, statusOf(reason, index));

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: writers }, worker));
}

async function fill(api: Api, namespace: string): Promise<void> {
  await api.create(agentsPath(namespace, 'sandboxupdateops'), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxUpdateOps',
    metadata: { name: 'all', namespace, finalizers: ['agents.kruise.io/sandboxupdateops-protection'] },
    spec: {
      selector: { matchLabels: { fleet: 'all' } },
      patch: patchTo('1.1'),
      updateStrategy: { maxUnavailable: '100%' },
      lifecycle: { postUpgrade: { exec: { command: ['/bin/warm-up'] } } },
    },
  });
  await inParallel(size, async (index) => {
    await api.create(agentsPath(namespace, 'sandboxes'), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'Sandbox',
      metadata: {
        name: nameOf(index),
        namespace,
        labels: { fleet: 'all', 'agents.kruise.io/update-ops': 'all', 'agents.kruise.io/sandbox-claimed': 'true' },
      },
      spec: { upgradePolicy: { type: 'Recreate' }, template: patchTo('1.1') },
    });
    await write(api, namespace, index, reasonOf(index));
  });
  await api.patch(`${agentsPath(namespace, 'sandboxupdateops', 'all')}/status`, {
    status: {
      phase: 'Updating',
      observedGeneration: 1,
      replicas: size,
      updatedReplicas: done,
      updatingReplicas: size - done - failing,
      failedReplicas: failing,
    },
  });
}

/** Milliseconds between frames while the matrix scrolls, the longest last. */
async function framesWhileScrolling(list: Locator): Promise<number[]> {
  const frames = await list.evaluate(
    (table) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = [];
        let last = performance.now();
        const frame = (now: number) => {
          found.push(now - last);
          last = now;
          table.parentElement?.scrollBy(0, 300);
          if (found.length < 150) requestAnimationFrame(frame);
          else resolve(found.slice(1));
        };
        requestAnimationFrame(frame);
      }),
  );
  return frames.toSorted((a, b) => a - b);
}

test('five thousand sandboxes scroll and filter while they change', async ({ page, cluster, namespace }, info) => {
  test.setTimeout(150_000);
  const { api } = cluster;
  await fill(api, namespace);
  await openOperation(page, namespace, 'all');
  const list = matrix(page);
  await expect(list).toHaveAttribute('aria-rowcount', String(size + 1), { timeout: 60_000 });
  await expect(page.getByRole('radio', { name: `Failed ${failing}` })).toBeVisible();

  let loading = true;
  let changes = 0;
  const load = (async () => {
    while (loading) {
      const index = failing + ((changes * 7) % (size - done - failing));
      await write(api, namespace, index, stages[changes % 2] ?? 'UpgradePod');
      changes += 1;
    }
  })();
  try {
    await list.hover();
    const frames = await framesWhileScrolling(list);
    const at = (share: number) => Math.round(frames[Math.floor((frames.length - 1) * share)] ?? 0);
    const description = `${frames.length}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms, ${changes} changes`;
    info.annotations.push({ type: 'frames', description });
    console.log('frames', description);
    // Only the rows in sight are drawn; how fast is for the log, a slow machine fails nothing.
    expect(await list.locator('tbody tr[aria-rowindex]').count()).toBeLessThan(80);

    await page.getByRole('button', { name: 'Show in the list' }).first().click();
    await expect(list).toHaveAttribute('aria-rowcount', String(failing + 1));
    await page.getByRole('combobox', { name: 'Failure' }).selectOption('');
    await page.getByRole('combobox', { name: 'Node' }).selectOption('worker-7');
    await expect(list).toHaveAttribute('aria-rowcount', String(done / nodes + 1));
    await page.getByRole('combobox', { name: 'Node' }).selectOption('');
    await page.getByRole('combobox', { name: 'Stage' }).selectOption('Done');
    await expect(list).toHaveAttribute('aria-rowcount', String(done + 1));
    await page.getByRole('combobox', { name: 'Stage' }).selectOption('');
    await expect(list).toHaveAttribute('aria-rowcount', String(size + 1));
    // To the very end.
    await list.evaluate((table) => {
      const scroller = table.parentElement;
      if (scroller) scroller.scrollTop = scroller.scrollHeight;
    });
    await expect(list.locator(`tr[aria-rowindex="${size + 1}"]`)).toBeVisible();
    // There the keyboard goes on where the wheel has come to; and back to the very beginning.
    await list.locator('tr[tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await expect(list.locator('tr[aria-rowindex="2"]')).toBeFocused();
    await page.keyboard.press('End');
    await expect(list.locator(`tr[aria-rowindex="${size + 1}"]`)).toBeFocused();
  } finally {
    loading = false;
    await load;
  }
  expect(changes).toBeGreaterThan(100);
});
