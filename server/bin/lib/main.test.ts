import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';

/** A command that runs a program and then says what it came to, as the checks of `npm test` do. */
function command(before: string) {
  const script = `
    import { runMain } from ${JSON.stringify(path.join(import.meta.dirname, 'main.mjs'))};
    import { atStop, launch, unlessEnding } from ${JSON.stringify(path.join(import.meta.dirname, 'processes.mjs'))};
    runMain(async (run) => {
      ${before}
      const child = launch(process.execPath, ['--eval', 'setInterval(() => {}, 1e6); console.log("up")']);
      child.onLine(console.log);
      await child.exited;
      await unlessEnding();
      console.log('verdict');
      return 0;
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, npm_lifecycle_event: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stderr.on('data', (chunk) => {
    output.err += String(chunk);
  });
  const up = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.out += String(chunk);
      resolve();
    });
  });
  return { child, output, up, exit: once(child, 'close') };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s interrupts a command: it says so, reaches no verdict, and ends with %i', async (signal, code) => {
  const { child, output, up, exit } = command('');
  await up;
  child.kill(signal);
  expect(await exit).toEqual([code, null]);
  expect(output).toEqual({ out: 'up\n', err: '\nInterrupted\n' });
});

test('what is to be done at the end is done, whether it is interrupted or comes to its verdict', async () => {
  const slow = `atStop(() => new Promise((resolve) => setTimeout(resolve, 300)).then(() => console.log('taken out')));`;
  const interrupted = command(slow);
  await interrupted.up;
  interrupted.child.kill('SIGTERM');
  expect(await interrupted.exit).toEqual([143, null]);
  expect(interrupted.output.out).toBe('up\ntaken out\n');
  const done = command(`${slow} return 0;`);
  expect(await done.exit).toEqual([0, null]);
  expect(done.output.out).toBe('taken out\n');
});

test('a command that is there to be stopped says that it stops, and has not failed', async () => {
  const { child, output, up, exit } = command('run.stopCode = 0;');
  await up;
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect(output.err).toBe('\nStopping …\n');
});
