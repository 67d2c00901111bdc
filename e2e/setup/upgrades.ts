import { expect, type Locator, type Page } from '@playwright/test';
import { z } from 'zod';
import type { Api } from '../../server/embedded/controllers/client/api';
import { agentsPath, isTrue, sandboxesOf } from './objects';

export const labels = { fleet: 'assistants' };
export const fleet = 'fleet=assistants';
export const imageOf = (tag: string): string => `registry.local/e2e/tools:${tag}`;
export const patchTo = (tag: string) => ({ spec: { containers: [{ name: 'sandbox', image: imageOf(tag) }] } });
export const shellHook = (command: string) => ({
  exec: { command: ['/bin/sh', '-c', command] },
  timeoutSeconds: 10,
});

/** Claimed sandboxes `box-01`, `box-02` … with the runtime that hooks need, all Running. */
export async function createFleet(
  api: Api,
  namespace: string,
  size: number,
  { paused = false, startDelay }: { paused?: boolean; startDelay?: string } = {},
): Promise<string[]> {
  const names = Array.from({ length: size }, (_, index) => `box-${String(index + 1).padStart(2, '0')}`);
  const annotations = startDelay === undefined ? {} : { 'sim.local/start-delay': startDelay };
  const template = {
    metadata: { annotations },
    spec: {
      initContainers: [{ name: 'runtime', image: 'registry.local/e2e/runtime:0.6', restartPolicy: 'Always' }],
      containers: [{ name: 'sandbox', image: imageOf('1.0'), env: [{ name: 'MODE', value: 'dev' }] }],
    },
  };
  for (const name of names) {
    await api.create(agentsPath(namespace, 'sandboxes'), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'Sandbox',
      metadata: { name, namespace, labels: { ...labels, 'agents.kruise.io/sandbox-claimed': 'true' } },
      spec: { template },
    });
  }
  const phases = async () => (await sandboxesOf(api, namespace, fleet)).map(({ status }) => status?.phase);
  await expect.poll(phases, { timeout: 60_000 }).toEqual(names.map(() => 'Running'));
  if (!paused) return names;
  for (const name of names) await api.patch(agentsPath(namespace, 'sandboxes', name), { spec: { paused: true } });
  const asleep = async () =>
    (await sandboxesOf(api, namespace, fleet)).every((sandbox) => isTrue(sandbox, 'SandboxPaused'));
  await expect.poll(asleep, { timeout: 60_000 }).toBe(true);
  return names;
}

/** An operation on the fleet. */
export const operationOf = (namespace: string, name: string, spec: object) => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'SandboxUpdateOps',
  metadata: { name, namespace },
  spec: { selector: { matchLabels: labels }, ...spec },
});

/** Creates one, from outside of the console. */
export async function createOperation(api: Api, namespace: string, name: string, spec: object): Promise<void> {
  await api.create(agentsPath(namespace, 'sandboxupdateops'), operationOf(namespace, name, spec));
}

const operation = z.looseObject({
  spec: z.looseObject({ paused: z.boolean().optional() }),
  status: z
    .looseObject({
      phase: z.string().optional(),
      replicas: z.number().default(0),
      updatedReplicas: z.number().default(0),
      updatingReplicas: z.number().default(0),
      failedReplicas: z.number().default(0),
    })
    .optional(),
});

export async function readOperation(api: Api, namespace: string, name: string) {
  const { spec, status } = operation.parse(await api.get(agentsPath(namespace, 'sandboxupdateops', name)));
  return {
    paused: spec.paused ?? false,
    phase: status?.phase ?? '',
    updated: status?.updatedReplicas ?? 0,
    updating: status?.updatingReplicas ?? 0,
    failed: status?.failedReplicas ?? 0,
  };
}

export async function reaches(
  api: Api,
  namespace: string,
  name: string,
  wanted: Partial<Awaited<ReturnType<typeof readOperation>>>,
): Promise<void> {
  await expect.poll(() => readOperation(api, namespace, name), { timeout: 60_000 }).toMatchObject(wanted);
}

const containers = z.looseObject({
  spec: z.looseObject({ containers: z.array(z.looseObject({ image: z.string() })) }),
});

/** Image of the first container of every sandbox of the fleet. */
export async function imagesOf(api: Api, namespace: string): Promise<(string | undefined)[]> {
  const sandboxes = await sandboxesOf(api, namespace, fleet);
  return sandboxes.map(({ spec }) => containers.safeParse(spec.template).data?.spec.containers[0]?.image);
}

/** The matrix of the page of an operation. */
export const matrix = (page: Page): Locator => page.getByRole('grid', { name: 'Stages', includeHidden: true });

export async function openOperation(page: Page, namespace: string, name: string): Promise<void> {
  await page.goto(`/upgrades/${namespace}/${name}?ns=${namespace}`);
  await expect(page.getByRole('heading', { name: new RegExp(`^Upgrades / ${name}`) })).toBeVisible();
}

/** A step of the form of a plan. */
export const planStep = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: new RegExp(`^${name} `) });

export const startButton = (page: Page): Locator => page.getByRole('button', { name: /^Upgrade \d+ sandbox.*…$/ });

/** Presses it, and types the number that is asked for. */
export async function startAndConfirm(page: Page, count: number): Promise<void> {
  await startButton(page).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^Upgrade ${count} sandbox`) });
  const confirm = dialog.getByRole('button', { name: new RegExp(`^Upgrade ${count} sandbox`) });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox', { name: `Type ${count} to confirm` }).fill(String(count));
  await confirm.click();
}

/** Starts what is planned from its last step, once the server would take it. */
export async function startPlan(page: Page, count: number): Promise<void> {
  await planStep(page, 'Review').click();
  await expect(page.getByText('Dry run accepted by the server')).toBeVisible();
  await startAndConfirm(page, count);
  await page.getByRole('link', { name: 'Watch it' }).click();
}
