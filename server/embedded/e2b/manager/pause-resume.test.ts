import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { objectPath, resources } from '../../controllers/client/resources';
import { send, startE2bTests } from '../testing';

let tests: Awaited<ReturnType<typeof startE2bTests>>;
beforeAll(async () => {
  tests = await startE2bTests();
});
afterAll(() => tests.stop());

async function ask(method: string, path: string, body?: unknown) {
  const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
  const answer = await send(`${tests.e2b.url}${path}`, { method, headers: { 'X-API-Key': tests.key }, body: text });
  return { status: answer.status, body: answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown) };
}

async function create(metadata: Record<string, string> = {}) {
  const { body } = await ask('POST', '/sandboxes', { templateID: 'python', metadata, timeout: 600 });
  const { sandboxID } = z.object({ sandboxID: z.string() }).parse(body);
  const route = `/sandboxes/${sandboxID}`;
  const key = sandboxID.replace('--', '/');
  return { route, key, now: () => tests.cluster.sandboxes.get(key) };
}

/** Its Pod, which a pause deletes, does not go until the function that this resolves to is called. */
async function heldPod(key: string) {
  const [namespace = '', name = ''] = key.split('/');
  const path = objectPath(resources.pods, { metadata: { namespace, name } });
  await tests.api.patch(path, { metadata: { finalizers: ['example.com/held'] } });
  return () => tests.api.patch(path, { metadata: { finalizers: null } });
}

it('one that never ends still never ends after a new end, a pause and a connect', async () => {
  const { route } = await create({ 'e2b.agents.kruise.io/never-timeout': 'true' });
  const end = async () => (await ask('GET', route)).body;
  const never = { endAt: '0001-01-01T00:00:00Z' };
  expect(await ask('POST', `${route}/timeout`, { timeout: 60 })).toEqual({ status: 204, body: undefined });
  expect(await end()).toMatchObject(never);
  expect((await ask('POST', `${route}/pause`)).status).toBe(204);
  expect(await end()).toMatchObject({ ...never, state: 'paused' });
  expect(await ask('POST', `${route}/connect`, { timeout: 60 })).toMatchObject({ status: 201, body: never });
  expect(await end()).toMatchObject({ ...never, state: 'running' });
});

it('one that is being paused is not resumed, and a second pause waits with the first', async () => {
  const { route, key, now } = await create();
  const release = await heldPod(key);
  const pauses = [ask('POST', `${route}/pause`)];
  await expect.poll(() => now()?.spec.paused, { interval: 1 }).toBe(true);
  pauses.push(ask('POST', `${route}/pause`));
  const message = `Failed to resume sandbox: Conflict: sandbox is not resumable, reason: SandboxIsPausing; sandboxResource=${key}`;
  expect(await ask('POST', `${route}/connect`, { timeout: 60 })).toMatchObject({ status: 400, body: { message } });
  expect(await ask('POST', `${route}/resume`, { timeout: 60 })).toMatchObject({ status: 409, body: { message } });
  await release();
  expect((await Promise.all(pauses)).map(({ status }) => status)).toEqual([204, 204]);
});

it('who waits for a pause hears at once that the sandbox is gone', async () => {
  const { route, key, now } = await create();
  const release = await heldPod(key);
  const pause = ask('POST', `${route}/pause`);
  await expect.poll(() => now()?.spec.paused, { interval: 1 }).toBe(true);
  await ask('DELETE', route);
  await release();
  const name = key.replace('default/', '');
  const message = `Failed to pause sandbox: sandboxes.agents.kruise.io "${name}" not found; sandboxResource=${key}`;
  expect(await pause).toMatchObject({ status: 404, body: { code: 404, message } });
});

it('who waits for a resume hears at once that the sandbox is being deleted', async () => {
  const { route, key, now } = await create();
  await ask('POST', `${route}/pause`);
  const [namespace = '', name = ''] = key.split('/');
  const nowhere = { nodeSelector: { 'example.com/room': 'none' } };
  const path = objectPath(resources.sandboxes, { metadata: { namespace, name } });
  await tests.api.patch(path, { spec: { template: { spec: nowhere } } });
  const connect = ask('POST', `${route}/connect`, { timeout: 60 });
  await expect.poll(() => now()?.status?.phase).toBe('Resuming');
  await ask('DELETE', route);
  const message = `Failed to resume sandbox: sandbox ${key} is not resumable, reason: SandboxIsTerminating; sandboxResource=${key}`;
  expect(await connect).toMatchObject({ status: 500, body: { code: 500, message } });
});

it('tells a mistake as the route does', async () => {
  const { route } = await create();
  const answers = (path: string) => Promise.all(['{', '{"timeout":0}'].map((body) => ask('POST', route + path, body)));
  expect(await answers('/connect')).toMatchObject([{ status: 500, body: { code: 0 } }, { status: 400 }]);
  expect(await answers('/resume')).toMatchObject([{ status: 500, body: { code: 500 } }, { status: 500 }]);
});
