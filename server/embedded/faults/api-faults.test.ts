import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AGENTS, openWatch, sandbox, send, versionOf } from '../apiserver/testing';
import { startPractice } from './testing';

let practice: Awaited<ReturnType<typeof startPractice>>;
let boxes: string;
beforeAll(async () => {
  practice = await startPractice();
  boxes = `${practice.server.url}${AGENTS}/sandboxes`;
});
afterAll(() => practice.close());

const create = (name: string) => send(boxes, 'POST', sandbox(name));
const watchFrom = async () =>
  openWatch(`${boxes}?watch=1&resourceVersion=${versionOf((await send(boxes, 'GET')).body)}`);

it('drops watches, once or by cutting the connection', async () => {
  const first = await watchFrom();
  await (await practice.fault('api-drop-watches'))();
  await first.ended;
  const second = await watchFrom();
  await (await practice.fault('api-drop-watches', { everySeconds: 60, abruptly: true }))();
  await second.ended;
});

it('silences watches, those that open later too, and lets what was held back come late', async () => {
  const open = await watchFrom();
  const end = await practice.fault('api-half-open');
  const later = openWatch(`${boxes}?watch=1&resourceVersion=${versionOf((await send(boxes, 'GET')).body)}`);
  await create('unheard');
  // Bytes that were not held back would be here by now: others, sent after them, have come.
  for (let asked = 0; asked < 20; asked += 1) expect((await send(`${boxes}/unheard`, 'GET')).status).toBe(200);
  expect(open.events).toEqual([]);
  await end();
  await open.until(1);
  open.stop();
  const late = await later;
  await late.until(1);
  late.stop();
});

it('forgets history once: a resumed watch is told so, and a new list goes on', async () => {
  const from = versionOf((await send(boxes, 'GET')).body);
  await create('forgotten');
  await (await practice.fault('api-gone'))();
  const watch = await openWatch(`${boxes}?watch=1&resourceVersion=${from}`);
  expect((await watch.until(1))[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  const end = await practice.fault('api-gone', { always: true });
  const again = await watchFrom();
  expect((await again.until(1))[0]).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  await end();
});

it('fails, throttles and slows down the requests that are meant, several faults at once', async () => {
  const ends = [
    await practice.fault('api-errors', { share: 1, methods: ['DELETE'], resource: 'sandboxes', status: 503 }),
    await practice.fault('api-throttle', { methods: ['POST'], resource: 'sandboxes', retryAfterSeconds: 7 }),
    await practice.fault('api-slow', { resource: 'sandboxes', ms: 200 }),
  ];
  expect(await send(`${boxes}/x`, 'DELETE')).toMatchObject({ status: 503, body: { kind: 'Status', code: 503 } });
  const refused = await fetch(boxes, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
  const started = performance.now();
  expect((await send(boxes, 'GET')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(190);
  expect((await send(`${practice.server.url}/api/v1/nodes`, 'GET')).status).toBe(200);
  for (const end of ends) await end();
  expect((await send(`${boxes}/x`, 'DELETE')).status).toBe(404);
});

it('restarts: connections are cut and refused, and the data is there afterwards', async () => {
  await create('kept');
  const watch = await watchFrom();
  const end = await practice.fault('api-restart', { downSeconds: 60 });
  await watch.ended;
  await expect(send(boxes, 'GET')).rejects.toThrow();
  await end();
  expect((await send(`${boxes}/kept`, 'GET')).status).toBe(200);
  await (await practice.fault('api-restart', { downSeconds: 0 }))();
  await expect.poll(async () => (await send(boxes, 'GET').catch(() => undefined))?.status).toBe(200);
});

it('is no longer at work once the API server is back, and says when that will be', async () => {
  const { body } = await practice.ask('POST', '/faults/api-restart', { params: { downSeconds: 0.5 }, seconds: 300 });
  expect(Number(body.until) - Number(body.since)).toBe(500);
  await vi.waitFor(() => expect(practice.faults.active).toEqual([]));
  expect((await fetch(`${practice.server.url}/readyz`)).status).toBe(200);
});

it.each([
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
])('an error %i has the reason that an API server gives it', async (status, reason) => {
  const end = await practice.fault('api-errors', { share: 1, resource: 'configmaps', status });
  const answer = await fetch(`${practice.server.url}/api/v1/configmaps`);
  await end();
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ kind: 'Status', reason, code: status });
});

it('is back only after the last of several suspensions, on the same port', async () => {
  const { server } = practice;
  const [first, second] = await Promise.all([server.suspend(), server.suspend()]);
  await Promise.all([first(), first()]);
  await expect(send(boxes, 'GET')).rejects.toThrow();
  await Promise.all([second(), second()]);
  expect((await send(boxes, 'GET')).status).toBe(200);
});

it('listens again as soon as its port is free', async () => {
  const end = await practice.fault('api-restart', { downSeconds: 60 });
  // A client that calls again meanwhile is not kept: it would keep the port.
  const other = createServer((socket) => socket.destroy()).listen(practice.server.port, '127.0.0.1');
  await once(other, 'listening');
  const [active] = practice.faults.active;
  const refused = await practice.ask('DELETE', `/faults/${active?.id}`);
  expect(refused).toMatchObject({ status: 500, body: { error: expect.stringContaining('EADDRINUSE') } });
  expect(practice.faults.active).toHaveLength(1);
  other.close();
  await once(other, 'close');
  await end();
  expect(practice.faults.active).toEqual([]);
  expect((await send(boxes, 'GET')).status).toBe(200);
});

it.each(['api-restart', 'api-token-rotation', 'api-clock-skew'])('%s is there once at a time', async (name) => {
  const params = name === 'api-restart' ? { downSeconds: 60 } : {};
  const answers = await Promise.all([1, 2].map(() => practice.ask('POST', `/faults/${name}`, { params })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toEqual({
    error: `Fault ${name} is active already, and there can be one at a time. End it first.`,
  });
  expect(await practice.ask('DELETE', '/faults')).toMatchObject({ status: 200 });
  await (await practice.fault(name, params))();
});

it('rotates a token: the old one is nobody’s until the end', async () => {
  const old = { Authorization: 'Bearer practice-viewer' };
  const end = await practice.fault('api-token-rotation', { person: 'viewer' });
  expect((await send(boxes, 'GET', undefined, old)).status).toBe(401);
  await end();
});

it('has a clock that is off', async () => {
  const end = await practice.fault('api-clock-skew', { seconds: -3600 });
  const { body } = await create('early');
  await end();
  const { creationTimestamp } = body.metadata as { creationTimestamp: string };
  expect(Date.now() - Date.parse(creationTimestamp)).toBeGreaterThan(3_590_000);
});

it('takes away the webhooks of one kind, or all', async () => {
  const path = `${practice.server.url}${AGENTS}`;
  const update = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxUpdateOps', metadata: { name: 'u' } };
  const pool = { ...update, kind: 'SandboxSet' };
  const end = await practice.fault('webhooks-down', { kinds: ['sandboxsets.agents.kruise.io'] });
  const refused = await send(`${path}/sandboxsets`, 'POST', { ...pool, spec: { replicas: 0 } });
  expect(refused).toMatchObject({
    status: 500,
    body: { message: expect.stringContaining('failed calling webhook "md-sbs.kb.io"') },
  });
  const other = await send(`${path}/sandboxupdateops`, 'POST', { ...update, spec: { selector: {} } });
  expect(other.status).toBe(201);
  await end();
  expect((await send(`${path}/sandboxsets`, 'POST', { ...pool, spec: { replicas: 0 } })).status).toBe(201);
});
