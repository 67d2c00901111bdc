import { once } from 'node:events';
import net from 'node:net';
import { NotFoundError, Sandbox, SandboxNotFoundError } from 'e2b';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startE2bTests } from './testing';

let tests: Awaited<ReturnType<typeof startE2bTests>>;
beforeAll(async () => {
  tests = await startE2bTests();
});
afterAll(() => tests.stop());

it('the official client creates, finds, prolongs, pauses, resumes and kills', async () => {
  const connection = { apiKey: tests.key, apiUrl: tests.e2b.url, sandboxUrl: tests.e2b.gatewayUrl };
  const sandbox = await Sandbox.create('python', { ...connection, timeoutMs: 60_000, metadata: { task: 'seven' } });
  expect(await sandbox.isRunning()).toBe(true);
  const page = Sandbox.list({ ...connection, query: { metadata: { task: 'seven' } } });
  expect((await page.nextItems()).map(({ sandboxId }) => sandboxId)).toEqual([sandbox.sandboxId]);
  const info = await sandbox.getInfo();
  expect(info).toMatchObject({ templateId: 'python', state: 'running', cpuCount: 2, memoryMB: 2048 });
  await sandbox.setTimeout(600_000);
  const minutes = ((await sandbox.getInfo()).endAt.getTime() - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(await sandbox.pause()).toBe(true);
  expect(await sandbox.isRunning()).toBe(false);
  expect((await sandbox.getInfo()).state).toBe('paused');
  const again = await Sandbox.connect(sandbox.sandboxId, { ...connection, timeoutMs: 60_000 });
  expect(await again.isRunning()).toBe(true);
  expect(await again.kill()).toBe(true);
  expect(await again.kill()).toBe(false);
  await expect(again.getInfo()).rejects.toThrow(NotFoundError);
  await expect(Sandbox.connect(sandbox.sandboxId, connection)).rejects.toThrow(SandboxNotFoundError);
});

it('a request that nothing can be made of ends its own connection and nothing else', async () => {
  const { hostname, port } = new URL(tests.e2b.url);
  const socket = net.connect(Number(port), hostname);
  socket.write('GET *:x HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket.resume(), 'close');
  expect((await fetch(`${tests.e2b.url}/health`)).status).toBe(200);
});
