import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { builtServer } from '../server/bin/lib/build.mjs';
import { agentsPath, claim, createPool, randomName, sandboxesOf } from './setup/objects';
import { grid, rowOf } from './setup/table';
import { expect, test } from './setup/test';

const annotations = [
  'agents.kruise.io/runtime-access-token',
  'agents.kruise.io/init-runtime-request',
  'e2b.agents.kruise.io/envd-access-token',
];

test('no token of a sandbox reaches the browser, on any page or in any answer', async ({
  page,
  cluster,
  namespace,
}) => {
  const { api } = cluster;
  await createPool(api, namespace, 'tools', { replicas: 1 });
  await claim(api, namespace, 'tools', 1, { team: 'secret' });
  await expect.poll(async () => (await sandboxesOf(api, namespace, 'team=secret')).length).toBe(1);
  const name = (await sandboxesOf(api, namespace, 'team=secret'))[0]?.metadata.name ?? '';
  const tokens = Object.fromEntries(annotations.map((annotation) => [annotation, randomName('token')]));
  await api.patch(agentsPath(namespace, 'sandboxes', name), { metadata: { annotations: tokens } });

  // The stream, too: what a page reads from it ends with the page.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const streamed: string[] = [];
  devtools.on('Network.eventSourceMessageReceived', ({ data }) => streamed.push(data));
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
    bodies.push(response.text().catch(() => ''));
  });

  await page.goto(`/sandboxes?ns=${namespace}&peek=${namespace}/${name}`);
  await expect(page.getByRole('complementary', { name })).toBeVisible();
  // A change, so that the sandbox is in the stream after the tokens are.
  await api.patch(agentsPath(namespace, 'sandboxes', name), { spec: { paused: true } });
  await expect(rowOf(grid(page, 'Sandboxes'), name).getByText('Paused')).toBeVisible();
  await page.goto(`/sandboxes/${namespace}/${name}?ns=${namespace}&tab=yaml`);
  const yaml = page.getByRole('region', { name: `YAML of ${name}` }).or(page.getByLabel(`YAML of ${name}`));
  await expect(yaml.first()).toContainText(`${annotations[0]}: •••`);
  await page.goto(`/pools/${namespace}/tools?ns=${namespace}&tab=claimed`);
  await expect(page.getByRole('grid', { name: 'Sandboxes claimed from tools' })).toContainText(name);

  const texts = [...(await Promise.all(bodies)), ...streamed, await page.content()];
  expect(streamed.some((data) => data.includes(name))).toBe(true);
  expect(texts.some((text) => text.includes(name))).toBe(true);
  for (const token of Object.values(tokens)) expect(texts.filter((text) => text.includes(token))).toEqual([]);
});

test('the scripts of the browser hold no credential of the server', () => {
  const folder = path.join(path.dirname(builtServer()), '.next/static');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|css|json|map)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(10);
  const secrets = /CONSOLE_KUBECONFIG|BEGIN (RSA |EC )?PRIVATE KEY|client-key-data|serviceaccount\/token/;
  expect(files.filter((file) => secrets.test(readFileSync(path.join(folder, file), 'utf8')))).toEqual([]);
});
