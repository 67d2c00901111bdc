import { expect, test } from 'vitest';
import { followParent, launch } from './processes.mjs';

const node = (script: string, args: string[] = []) => launch(process.execPath, [...args, '--eval', script]);

function firstLine(child: ReturnType<typeof launch>): Promise<string> {
  return new Promise((resolve) => child.onLine(resolve));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('the exit code and the last lines of a program are kept', async () => {
  const child = node('console.log("to stdout"); console.error("to stderr"); process.exit(3)');
  await expect(child.exited).resolves.toBe(3);
  expect(child.lastLines().sort()).toEqual(['to stderr', 'to stdout']);
  expect(child.lastLines(1)).toHaveLength(1);
});

test('a program that does not exist ends with 127, as in a shell', async () => {
  await expect(launch('no-such-program', []).exited).resolves.toBe(127);
});

test('one that ends in good time is left to do so', async () => {
  const child = node('process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1e6); console.log("up")');
  await firstLine(child);
  await child.stop();
  await expect(child.exited).resolves.toBe(7);
});

test('one that does not is ended, with what it started', async () => {
  const child = node(`
    process.on('SIGTERM', () => {});
    const { pid } = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
    setInterval(() => {}, 1e6);
    console.log(pid);
  `);
  const grandchild = Number(await firstLine(child));
  await child.stop(100);
  await expect(child.exited).resolves.toBe(137);
  await expect.poll(() => isAlive(grandchild)).toBe(false);
});

test('a program that follows its parent ends when that is killed', async () => {
  const script = 'setInterval(() => {}, 1e6); console.log(process.pid)';
  const parent = node(`
    const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([...followParent, '--eval', script])}, {
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    setInterval(() => {}, 1e6);
  `);
  const pid = Number(await firstLine(parent));
  process.kill(parent.pid ?? 0, 'SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
});
