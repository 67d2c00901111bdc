import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openWatch } from './apiserver/testing';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(...args: string[]) {
  const entry = path.join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const output = { out: '', err: '' };
  const ready = new Promise<{ url: string; kubeconfig: string }>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.out += String(chunk);
      const match = /^ready (\S+) kubeconfig=(\S+)\n$/.exec(output.out);
      if (match?.[1] !== undefined && match[2] !== undefined) resolve({ url: match[1], kubeconfig: match[2] });
    });
  });
  child.stderr.on('data', (chunk) => {
    output.err += String(chunk);
  });
  return { child, ready, output, exit: once(child, 'close') };
}

const alone = ['--no-controllers', '--dir', mkdtempSync(path.join(os.tmpdir(), 'embedded-test-'))];

describe('the command', { timeout: 60_000 }, () => {
  it('prints one line when ready, writes a kubeconfig, and ends at SIGTERM with a watch open', async () => {
    const cluster = start(...alone);
    const { url, kubeconfig } = await cluster.ready;
    expect(JSON.parse(readFileSync(kubeconfig, 'utf8'))).toMatchObject({
      'current-context': 'embedded',
      clusters: [{ cluster: { server: url } }],
    });
    const watch = await openWatch(`${url}/api/v1/namespaces?watch=1`);
    await watch.until(4);
    cluster.child.kill('SIGTERM');
    expect(await cluster.exit).toEqual([0, null]);
    await watch.ended;
    expect(cluster.output.out.split('\n')).toHaveLength(2);
  });

  it('says that the port is taken, and fails', async () => {
    const cluster = start(...alone);
    const { port } = new URL((await cluster.ready).url);
    const second = start(...alone, '--port', port);
    expect(await second.exit).toEqual([1, null]);
    expect(second.output).toEqual({
      out: '',
      err: `Port ${port} is taken on 127.0.0.1. Choose another with --port N, or 0 for any free one.\n`,
    });
  });

  it('ends when its parent has ended', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    started.push(parent);
    const cluster = start(...alone, '--parent-pid', String(parent.pid));
    await cluster.ready;
    parent.kill('SIGKILL');
    expect(await cluster.exit).toEqual([0, null]);
  });

  it('refuses options it does not know', async () => {
    const cluster = start('--prot', '1');
    expect(await cluster.exit).toEqual([1, null]);
    expect(cluster.output.err).toContain("Unknown option '--prot'");
  });
});
