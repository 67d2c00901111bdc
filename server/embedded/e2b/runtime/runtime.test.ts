import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FilesystemEventType, Sandbox } from 'e2b';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Door, startDoor, TOKEN } from './testing';

let door: Door;
let sandbox: Sandbox;
let pod: string;

beforeAll(async () => {
  door = await startDoor();
  sandbox = await Sandbox.create('python', { apiKey: 'any', apiUrl: door.url, sandboxUrl: door.url });
  pod = path.join(door.dir, `pod-${sandbox.sandboxId}`);
});
afterAll(() => door.close());

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(door.url + address, { headers: { 'e2b-sandbox-id': sandbox.sandboxId, ...headers } });

describe('files', { timeout: 60_000 }, () => {
  it('are given to whoever has a signed address, for that file and time only', async () => {
    await sandbox.files.write('s.txt', 'signed');
    const address = new URL(await sandbox.downloadUrl('s.txt', { user: 'user', useSignatureExpiration: 60 }));
    expect(await (await get(address.pathname + address.search)).text()).toBe('signed');
    const other = new URLSearchParams(address.search);
    other.set('path', 'other.txt');
    expect(await (await get(`/files?${other}`)).json()).toEqual({ code: 401, message: 'invalid signature' });
    const past = new URL(await sandbox.downloadUrl('s.txt', { user: 'user', useSignatureExpiration: -60 }));
    expect(await (await get(past.pathname + past.search)).json()).toEqual({
      code: 401,
      message: 'signature is already expired',
    });
  });

  it('are refused when the sandbox is full', async () => {
    const full = path.join(pod, 'tmp/full');
    writeFileSync(full, '');
    truncateSync(full, 62 * 1024 * 1024);
    const tooMuch = new Blob([new Uint8Array(3 * 1024 * 1024)]);
    await expect(sandbox.files.write('/tmp/other', tooMuch)).rejects.toThrow(/not enough disk space/i);
    const shell = await sandbox.commands.run(
      'cp /tmp/full /tmp/third; cat /tmp/full > /tmp/fourth; rm /tmp/full /tmp/fourth; echo y > /tmp/y && cat /tmp/y',
    );
    expect(shell.stderr).toBe(
      "cp: cannot copy '/tmp/full': No space left on device\ncat: write error: No space left on device\n",
    );
    expect(shell.stdout).toBe('y\n');
  });

  it('do not follow a link out of the sandbox, whoever made it', async () => {
    const outside = mkdtempSync(path.join(os.tmpdir(), 'outside-'));
    writeFileSync(path.join(outside, 'secret'), 'secret');
    symlinkSync(outside, path.join(pod, 'home/user/link'));
    await expect(sandbox.files.read('/home/user/link/secret')).rejects.toThrow();
    await expect(sandbox.files.write('/home/user/link/new', 'x')).rejects.toThrow();
    await expect(sandbox.files.list('/home/user/link')).rejects.toThrow();
    expect(
      await sandbox.commands
        .run('cat link/secret || echo x > link/new || cp -r link copy || ls link/')
        .catch((error) => error.stdout),
    ).toBe('');
    await sandbox.files.remove('/home/user/link').catch(() => {});
    expect(readdirSync(outside)).toEqual(['secret']);
    rmSync(path.join(pod, 'home/user/link'), { force: true });
    rmSync(outside, { recursive: true });
  });

  it('can be watched', async () => {
    const seen: string[] = [];
    const watch = await sandbox.files.watchDir('/home/user', (event) => void seen.push(`${event.type} ${event.name}`));
    await sandbox.files.write('/home/user/w.txt', '1');
    await sandbox.files.remove('/home/user/w.txt');
    await vi.waitFor(() => expect(seen).toContain(`${FilesystemEventType.REMOVE} w.txt`));
    expect(seen[0]).toBe(`${FilesystemEventType.CREATE} w.txt`);
    expect(seen).toContain(`${FilesystemEventType.WRITE} w.txt`);
    await watch.stop();
  });

  it('belong to the user who writes them, and have the home of that user', async () => {
    await sandbox.files.write('mine', 'x', { user: 'root' });
    expect(await sandbox.files.getInfo('/root/mine')).toMatchObject({ owner: 'root', path: '/root/mine' });
    expect((await sandbox.commands.run('ls -l /root', { user: 'root' })).stdout).toMatch(
      /^total 4\n-rw-r--r-- 1 root root 1 .* mine\n$/,
    );
  });
});

describe('requests', () => {
  it('need the token of the sandbox, and a path that exists', async () => {
    const call = (address: string, init: RequestInit = {}) =>
      fetch(door.url + address, {
        ...init,
        headers: { 'e2b-sandbox-id': sandbox.sandboxId, 'x-access-token': TOKEN, ...init.headers },
      });
    expect((await get('/envs')).status).toBe(401);
    expect((await get('/health')).status).toBe(204);
    expect(await (await call('/envs')).json()).toEqual({ E2B_SANDBOX: 'false' });
    expect(await (await call('/metrics')).json()).toMatchObject({
      cpu_count: expect.any(Number),
      mem_total: expect.any(Number),
    });
    expect((await call('/nothing')).status).toBe(404);
    const service = '/process.Process/List';
    expect((await call(service)).status).toBe(405);
    expect((await call(service, { method: 'POST', body: 'x' })).status).toBe(415);
    const broken = await call('/filesystem.Filesystem/Stat', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ code: 'invalid_argument' });
  });

  it('for a terminal are refused, and say so', async () => {
    await expect(sandbox.pty.create({ cols: 80, rows: 24, onData: () => {} })).rejects.toThrow(/no terminals/);
  });
});

it('nothing is left of a sandbox that is gone', async () => {
  const other = await Sandbox.create('python', { apiKey: 'any', apiUrl: door.url, sandboxUrl: door.url });
  const folder = path.join(door.dir, `pod-${other.sandboxId}`);
  await other.files.write('a', 'x');
  expect(existsSync(folder)).toBe(true);
  await door.runtimes.kill(other.sandboxId);
  expect(existsSync(folder)).toBe(false);
  await door.runtimes.kill('never-seen');
});
