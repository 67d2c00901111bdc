import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from './apiserver/auth/people';
import { openWatch } from './apiserver/testing';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const root = path.join(import.meta.dirname, '../..');
const image = mkdtempSync(path.join(os.tmpdir(), 'image-test-'));
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const main = path.join(image, / embedded\/(\S+\.mjs) --dir /.exec(dockerfile)?.[1] ?? '');

/** As the image carries it: one file starts in a quarter of the time that its sources take, twenty times here. */
beforeAll(() => {
  const [, build = ''] = /^FROM build AS embedded\nRUN (.+)$/m.exec(dockerfile) ?? [];
  execFileSync('sh', ['-e', '-c', build.replaceAll('/out', image)], { cwd: root, stdio: 'ignore' });
}, 60_000);
afterAll(() => rmSync(image, { recursive: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd: image, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const output = { out: '', err: '' };
  const ready = new Promise<{ url: string; kubeconfig: string; control: string | undefined }>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.out += String(chunk);
      const match = /^ready (\S+) kubeconfig=(\S+)(?: control=(\S+))?\n$/.exec(output.out);
      if (match?.[1] !== undefined && match[2] !== undefined)
        resolve({ url: match[1], kubeconfig: match[2], control: match[3] });
    });
  });
  child.stderr.on('data', (chunk) => {
    output.err += String(chunk);
  });
  return { child, ready, output, exit: once(child, 'close') };
}

it('the image gets an embedded cluster that finds all its files', async () => {
  const help = start('--help');
  expect(await help.exit).toEqual([0, null]);
  expect(help.output.out).toContain('--scenario');
  const python = readdirSync(path.join(import.meta.dirname, 'e2b/runtime/python')).filter((file) =>
    /\.(mjs|py)$/.test(file),
  );
  expect(python.filter((file) => !existsSync(path.join(main, '..', file)))).toEqual([]);
});

const alone = ['--no-controllers', '--dir', mkdtempSync(path.join(os.tmpdir(), 'embedded-test-'))];

describe('the command', { timeout: 60_000 }, () => {
  it('prints one line when ready, writes a kubeconfig, and ends at SIGTERM with a watch open', async () => {
    const cluster = start(...alone);
    const { url, kubeconfig } = await cluster.ready;
    expect(JSON.parse(readFileSync(kubeconfig, 'utf8'))).toMatchObject({
      'current-context': 'embedded',
      clusters: [{ cluster: { server: url.replace('http:', 'https:') } }],
    });
    const viewer = JSON.parse(readFileSync(`${kubeconfig}-viewer`, 'utf8'));
    expect(viewer).toMatchObject({ users: [{ name: 'viewer', user: { token: 'practice-viewer' } }] });
    expect((await fetch(`${url}/api/v1/namespaces`)).status).toBe(403);
    const watch = await openWatch(`${url}/api/v1/namespaces?watch=1`, bearer('admin'));
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
      err: `Error: Port ${port} is taken on 127.0.0.1.\n  Choose another with --port N, or 0 for any free one.\n`,
    });
  });

  it('ends when its terminal is closed', async () => {
    const cluster = start(...alone);
    await cluster.ready;
    cluster.child.kill('SIGHUP');
    expect(await cluster.exit).toEqual([0, null]);
  });

  it('ends when its parent has ended', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    started.push(parent);
    const cluster = start(...alone, '--parent-pid', String(parent.pid));
    await cluster.ready;
    parent.kill('SIGKILL');
    expect(await cluster.exit).toEqual([0, null]);
  });

  it('has no control door unless it is asked for; with it, faults are there from the start and change the kubeconfig', async () => {
    expect((await start(...alone).ready).control).toBeUndefined();
    const fault = 'api-token-rotation={"person":"viewer"}';
    const cluster = start(...alone, '--control-port', '0', '--fault', 'api-slow', '--fault', fault);
    const { control, kubeconfig } = await cluster.ready;
    const active = async () => {
      const { active: now } = (await (await fetch(`${control}/faults`)).json()) as { active: { name: string }[] };
      return now.map(({ name }) => name);
    };
    await expect.poll(active).toEqual(['api-slow', 'api-token-rotation']);
    const viewer = () => readFileSync(`${kubeconfig}-viewer`, 'utf8');
    expect(viewer()).not.toContain('"practice-viewer"');
    await fetch(`${control}/faults`, { method: 'DELETE' });
    expect(viewer()).toContain('"practice-viewer"');
  });

  it('lists what it can show, and names what it cannot', async () => {
    const list = start('--list');
    expect(await list.exit).toEqual([0, null]);
    expect(list.output.out).toMatch(/Resuming hangs\n\n {2}resume-digest .+\(T1\)/);
    expect(list.output.out).toContain('Traps that cannot exist here');
    const cases: [args: string[], error: RegExp][] = [
      [['--scenario', 'empty,nowhere'], /^Error: There is no scenario "nowhere"\.\n {2}Choose from: lively, empty, /],
      [[...alone, '--fault', 'api-slow={"ms":0}'], /parameters of fault api-slow are wrong: ms: /],
      [[...alone, '--fault', 'api-slow={'], /--fault takes NAME or NAME=JSON/],
    ];
    for (const [args, error] of cases) {
      const wrong = start(...args);
      expect(await wrong.exit).toEqual([2, null]);
      expect(wrong.output.err).toMatch(error);
    }
  });

  it('refuses options it does not know', async () => {
    const cluster = start('--prot', '1');
    expect(await cluster.exit).toEqual([2, null]);
    expect(cluster.output.err).toContain("Error: Unknown option '--prot'.\n  ");
  });

  it('refuses namespaces for webhooks that nobody asked for, and ones that cannot be', async () => {
    const alone = start('--webhook-namespaces', 'team-a');
    expect(await alone.exit).toEqual([2, null]);
    expect(alone.output.err).toContain('--webhook-namespaces narrows --webhooks.');
    const { kubeconfig } = await start('--no-controllers').ready;
    const wrong = start(
      ...['--controllers-only', '--webhooks', '--kubeconfig', kubeconfig],
      '--webhook-namespaces',
      'A',
    );
    expect([await wrong.exit, wrong.output.err]).toEqual([[2, null], expect.stringContaining('"A" is no name')]);
  });

  it('takes the folder away that it made for its kubeconfigs', async () => {
    const cluster = start('--no-controllers');
    const { kubeconfig } = await cluster.ready;
    expect(existsSync(kubeconfig)).toBe(true);
    cluster.child.kill('SIGTERM');
    await cluster.exit;
    expect(existsSync(path.dirname(kubeconfig))).toBe(false);
  });

  it('puts no webhooks into an API server that does not call them, and fails', async () => {
    const { kubeconfig } = await start(...alone).ready;
    const controllers = start('--controllers-only', '--webhooks', '--kubeconfig', kubeconfig);
    expect(await controllers.exit).toEqual([1, null]);
    expect(controllers.output.err).toMatch(
      /^Error: The API server \S+ does not call webhooks at this machine’s loopback address\.\n {2}Leave --webhooks out/,
    );
  });

  it('says that the cluster for its controllers does not answer, and fails', async () => {
    const cluster = start(...alone);
    const { url, kubeconfig } = await cluster.ready;
    cluster.child.kill('SIGTERM');
    await cluster.exit;
    const controllers = start('--controllers-only', '--kubeconfig', kubeconfig);
    expect(await controllers.exit).toEqual([1, null]);
    expect(controllers.output.err).toMatch(
      /^Error: The API server \S+ cannot be used: connect ECONNREFUSED .*\n {2}Check it: kubectl --kubeconfig \S+ version\n$/,
    );
    expect(controllers.output.err).toContain(new URL(url).host);
  });
});
