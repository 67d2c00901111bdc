import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { Switches } from '../controllers/switches';
import { send, startE2bTests, staysOpen } from '../e2b/testing';
import { Faults } from './registry';

let tests: Awaited<ReturnType<typeof startE2bTests>>;
let faults: Faults;
let id = '';
beforeAll(async () => {
  tests = await startE2bTests();
  faults = new Faults({ switches: new Switches(), api: tests.api, controlPlane: true, e2b: tests.e2b.door });
  const { text } = await manager('POST', '/sandboxes', '{"templateID":"python"}');
  id = z.object({ sandboxID: z.string() }).parse(JSON.parse(text)).sandboxID;
});
afterAll(() => tests.stop());

const manager = (method: string, path: string, body?: string) =>
  send(`${tests.e2b.url}${path}`, { method, headers: { 'X-API-Key': tests.key }, body });
const runtime = (path: string, headers: Record<string, string> = {}) =>
  send(`${tests.e2b.gatewayUrl}${path}`, {
    headers: { 'E2b-Sandbox-Id': id, 'E2b-Sandbox-Port': '49983', ...headers },
  });

async function during(name: string, params: object, look: () => Promise<void>): Promise<void> {
  const fault = await faults.start(name, params);
  await look().finally(() => faults.end(fault.id));
  expect((await manager('GET', `/sandboxes/${id}`)).status).toBe(200);
  expect((await runtime('/health')).status).toBe(204);
}

it('the manager can be away: no connection, or 503; sandboxes stay reachable', async () => {
  await during('manager-away', {}, async () => {
    await expect(manager('GET', '/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect((await runtime('/health')).status).toBe(204);
  });
  await during('manager-away', { how: 'unavailable' }, async () => {
    expect(await manager('GET', '/v2/sandboxes')).toMatchObject({ status: 503, text: 'no healthy upstream' });
  });
});

it('requests are throttled, and told when to come back', async () => {
  await during('manager-throttled', { retryAfterSeconds: 7 }, async () => {
    const { status, headers } = await manager('POST', '/sandboxes', '{"templateID":"python"}');
    expect([status, headers['retry-after']]).toEqual([429, '7']);
  });
});

it('creates are slow, and nothing else is', async () => {
  await during('manager-slow-create', { ms: 400 }, async () => {
    const start = Date.now();
    expect((await manager('POST', '/kruise/api/sandboxes', '{"templateID":"none"}')).status).toBe(400);
    expect(Date.now() - start).toBeGreaterThanOrEqual(400);
  });
});

it('the key is rotated', async () => {
  await during('manager-key-rotation', {}, async () => {
    expect((await manager('GET', '/v2/sandboxes')).status).toBe(401);
  });
});

it('manager and gateway hang, each alone, and what waits is answered at the end', async () => {
  const answered: number[] = [];
  const ask = (answer: ReturnType<typeof send>) => answer.then(({ status }) => answered.push(status));
  let waiting = Promise.resolve(0);
  await during('manager-hangs', {}, async () => {
    waiting = ask(manager('GET', '/v2/sandboxes'));
    expect((await runtime('/health')).status).toBe(204);
    expect(answered).toEqual([]);
  });
  await waiting;
  await during('gateway-hangs', {}, async () => {
    waiting = ask(runtime('/health'));
    expect((await manager('GET', `/sandboxes/${id}`)).status).toBe(200);
    expect(answered).toEqual([200]);
  });
  await waiting;
  expect(answered).toEqual([200, 204]);
});

it.each([502, 504] as const)('the gateway answers %d', async (status) => {
  await during('gateway-errors', { status }, async () => {
    const answer = await runtime('/health');
    expect([answer.status, answer.headers.server]).toEqual([status, 'envoy']);
  });
});

it('streams break off in the middle, not at their end', async () => {
  await during('gateway-stream-cut', { afterBytes: 2 }, async () => {
    expect(await runtime('/process.Process/Start', { [staysOpen]: 'yes' })).toMatchObject({ cut: true, text: 'be' });
  });
});

it('a runtime dies under a command: a cut a second later, then 503, while Kubernetes sees nothing', async () => {
  const stream = runtime('/process.Process/Start', { [staysOpen]: 'yes' });
  await expect.poll(async () => (await runtime('/health')).status).toBe(204);
  await during('runtime-dies', { namespace: 'default' }, async () => {
    const start = Date.now();
    expect(await stream).toMatchObject({ cut: true, text: 'begin' });
    expect(Date.now() - start).toBeGreaterThan(800);
    expect((await runtime('/health')).status).toBe(503);
    expect((await manager('GET', `/sandboxes/${id}`)).text).toContain('"state":"running"');
  });
});

it('none of them begins where no manager runs', async () => {
  const elsewhere = new Faults({ switches: new Switches(), api: tests.api, controlPlane: false });
  await expect(elsewhere.start('manager-away')).rejects.toMatchObject({ status: 409 });
});
