import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../controllers/client/api';
import { checkpointSchema, type Sandbox } from '../../controllers/client/objects';
import { collectionPath, resources } from '../../controllers/client/resources';
import { annotation, label } from '../../controllers/rules/keys';
import { send, startE2bTests } from '../testing';

let tests: Awaited<ReturnType<typeof startE2bTests>>;
/** Every version of every sandbox, in the order in which they were written. */
const seen: [before: Sandbox | undefined, after: Sandbox | undefined][] = [];
beforeAll(async () => {
  tests = await startE2bTests();
  tests.cluster.sandboxes.onChange((before, after) => seen.push([before, after]));
});
afterAll(() => tests.stop());

const shownSchema = z.looseObject({ sandboxID: z.string(), endAt: z.string(), envdAccessToken: z.string().optional() });

async function ask(method: string, path: string, body?: object) {
  const headers = { 'X-API-Key': tests.key };
  const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const { status, text } = await send(`${tests.e2b.url}${path}`, sent);
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const create = async (body: object) => shownSchema.parse((await ask('POST', '/sandboxes', body)).body);
const keyOfId = (id: string) => id.replace('--', '/');
const now = (id: string) => tests.cluster.sandboxes.get(keyOfId(id));
const writesOf = (id: string) =>
  seen.filter(([before, after]) => keyOfId(id) === `default/${(after ?? before)?.metadata.name}`);

/** JSON pointers of what differs, without what the API server counts. */
function changed(before: unknown, after: unknown, at = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(before) || !isMap(after)) return /resourceVersion|generation/.test(at) ? [] : [at];
  const [from, to] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .flatMap((key) => changed(from[key], to[key], `${at}/${key.replaceAll('/', '~1')}`))
    .sort();
}

it('a claim is one write: the one that was recorded', async () => {
  const metadata = { task: 't-9', 'label:stage': 'demo' };
  const { sandboxID } = await create({ templateID: 'python', metadata, envVars: { A: '1' }, timeout: 600 });
  const claims = writesOf(sandboxID).filter(
    ([before, after]) =>
      before?.metadata.labels?.[label.claimed] === 'false' && after?.metadata.labels?.[label.claimed] === 'true',
  );
  expect(claims).toHaveLength(1);
  const [before, after] = claims[0] ?? [];
  // k8s-claim 1795
  expect(changed(before, after)).toEqual(
    [
      '/metadata/annotations/agents.kruise.io~1claim-timestamp',
      '/metadata/annotations/agents.kruise.io~1init-runtime-request',
      '/metadata/annotations/agents.kruise.io~1lock',
      '/metadata/annotations/agents.kruise.io~1owner',
      '/metadata/annotations/agents.kruise.io~1reserve-paused-sandbox-duration',
      '/metadata/annotations/agents.kruise.io~1runtime-access-token',
      '/metadata/annotations/agents.kruise.io~1updated-metadata-in-claim',
      '/metadata/annotations/task',
      '/metadata/labels/agents.kruise.io~1allow-internet-access',
      '/metadata/labels/agents.kruise.io~1sandbox-claimed',
      '/metadata/labels/stage',
      '/metadata/ownerReferences',
      '/spec/shutdownTime',
      '/spec/template/metadata/labels/agents.kruise.io~1allow-internet-access',
      '/spec/template/metadata/labels/agents.kruise.io~1owner',
      '/spec/template/metadata/labels/agents.kruise.io~1sandbox-name',
      '/spec/template/metadata/labels/stage',
    ].sort(),
  );
  const annotations = after?.metadata.annotations ?? {};
  const token = annotations[annotation.accessToken];
  expect(annotations).toMatchObject({
    [annotation.initRequest]: `{"envVars":{"A":"1"},"accessToken":"${token}"}`,
    [annotation.claimMetadata]: '{"labels":["stage"],"annotations":["task"]}',
    [annotation.reservePaused]: 'forever',
  });
  expect(after?.spec.template?.metadata?.labels).toMatchObject({
    [label.claimed]: 'false',
    [label.sandboxName]: before?.metadata.name,
  });
  const uid = now(sandboxID)?.status?.podInfo?.podUID ?? '';
  expect(tests.inits.get(uid)).toEqual({ token, env: { A: '1' } });
});

it('a cold create is one object as recorded, without the hash of the pool', async () => {
  const { sandboxID } = await create({ templateID: 'python-empty' });
  const made = writesOf(sandboxID).find(([before]) => before === undefined)?.[1];
  const labels = {
    [label.owner]: '550e8400-e29b-41d4-a716-446655440000',
    [label.claimed]: 'true',
    [label.sandboxName]: '',
    [label.pool]: 'python-empty',
    [label.template]: 'python-empty',
    'agents.kruise.io/allow-internet-access': 'true',
    app: 'python-empty',
    runtime: 'envd',
  };
  expect(made?.metadata.labels).toEqual(labels);
  expect(made?.spec.template?.metadata).toEqual({ labels });
  expect(made?.metadata.annotations?.[annotation.priority]).toBe('100');
  expect(made?.metadata.ownerReferences).toBeUndefined();
});

it('pause, connect and a new end write what was recorded, and nothing else of the spec', async () => {
  const { sandboxID, envdAccessToken } = await create({ templateID: 'python', timeout: 600 });
  const specs = () =>
    writesOf(sandboxID).flatMap(([before, after]) => {
      const paths = changed(before?.spec, after?.spec);
      return before === undefined || paths.length === 0 ? [] : [paths];
    });
  const before = specs().length;
  await ask('POST', `/sandboxes/${sandboxID}/pause`, { memory: true });
  await ask('POST', `/sandboxes/${sandboxID}/connect`, { timeout: 400 });
  await ask('POST', `/sandboxes/${sandboxID}/timeout`, { timeout: 120 });
  expect(specs().slice(before)).toEqual([
    ['/paused', '/shutdownTime'],
    ['/paused', '/shutdownTime'],
    ['/shutdownTime'],
  ]);
  const uid = now(sandboxID)?.status?.podInfo?.podUID ?? '';
  expect(tests.inits.get(uid)?.token).toBe(envdAccessToken);
});

it('one that pauses at its end does so, stays a hundred years, and comes back with five minutes', async () => {
  const { sandboxID } = await create({ templateID: 'python', timeout: 60, autoPause: true });
  const years = () => (Date.parse(now(sandboxID)?.spec.shutdownTime ?? '') - Date.now()) / (365 * 24 * 3_600_000);
  expect(years()).toBeCloseTo(100, 1);
  await ask('POST', `/sandboxes/${sandboxID}/timeout`, { timeout: 1 });
  const state = async () => (await ask('GET', `/sandboxes/${sandboxID}`)).body;
  await expect.poll(state).toMatchObject({ state: 'paused', endAt: expect.stringMatching(/^21\d\d-/) });
  await expect
    .poll(() => now(sandboxID)?.status?.conditions?.find(({ type }) => type === 'SandboxPaused')?.status)
    .toBe('True');
  const { status, body } = await ask('POST', `/sandboxes/${sandboxID}/connect`, { timeout: 60 });
  expect(status).toBe(201);
  expect((Date.parse(shownSchema.parse(body).endAt) - Date.now()) / 60_000).toBeCloseTo(5, 0);
});

it('one that ends at its end is gone', async () => {
  const { sandboxID } = await create({ templateID: 'python', timeout: 30 });
  await ask('POST', `/sandboxes/${sandboxID}/timeout`, { timeout: 1 });
  await expect.poll(async () => (await ask('GET', `/sandboxes/${sandboxID}`)).status).toBe(404);
});

it('a snapshot that nobody serves leaves its Checkpoint behind', async () => {
  const { sandboxID } = await create({ templateID: 'python' });
  const headers = { 'X-API-Key': tests.key, 'x-e2b-kruise-snapshot-wait-success-seconds': '0' };
  const { status } = await send(`${tests.e2b.url}/sandboxes/${sandboxID}/snapshots`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  expect(status).toBe(500);
  const list = z.looseObject({ items: z.array(checkpointSchema) });
  const { items } = list.parse(await tests.api.get(collectionPath(resources.checkpoints, 'default')));
  expect(items.map(({ spec }) => spec)).toEqual([{ podName: now(sandboxID)?.metadata.name }]);
});

it('counts what it did', async () => {
  const { text } = await send(`${tests.e2b.url}/metrics`);
  expect(text).toContain(
    'sandbox_claim_total{lock_type="create",namespace="default",result="success",source="e2b"} 1\n',
  );
  expect(text).toMatch(/sandbox_claim_duration_seconds_bucket\{namespace="default",source="e2b",le="0.02"\} \d/);
  expect(text).toMatch(/sandbox_resume_responses\{namespace="default",result="success",source="e2b"\} 2\n/);
});

it('the key is another one for each start, and its file is for its owner alone', async () => {
  expect(tests.key).toMatch(/^e2b_[0-9a-f]{40}$/);
  expect(statSync(tests.e2b.keyFile).mode & 0o777).toBe(0o600);
  const back = tests.e2b.door.rotateKey();
  expect(readFileSync(tests.e2b.keyFile, 'utf8').trim()).not.toBe(tests.key);
  expect(statSync(tests.e2b.keyFile).mode & 0o777).toBe(0o600);
  expect((await ask('GET', '/teams')).status).toBe(401);
  back();
  expect((await ask('GET', '/teams')).status).toBe(200);
});

it('whose client has gone leaves no sandbox behind that nobody knows', async () => {
  const leaving = new AbortController();
  const request = fetch(`${tests.e2b.url}/sandboxes`, {
    method: 'POST',
    headers: { 'X-API-Key': tests.key },
    body: JSON.stringify({ templateID: 'python-new' }),
    signal: leaving.signal,
  });
  const made = () =>
    seen.flatMap(([, after]) => (after?.metadata.labels?.[label.pool] === 'python-new' ? [after] : []));
  await expect.poll(made, { interval: 10 }).not.toEqual([]);
  leaving.abort();
  await expect(request).rejects.toThrow();
  const path = collectionPath(resources.sandboxes, 'default');
  const gone = () =>
    tests.api.get(`${path}/${made()[0]?.metadata.name}`).then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.code === 404,
    );
  await expect.poll(gone).toBe(true);
});
