import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type StepName, stepNames } from '@/lib/contracts/tasks';
import { cacheDir, root } from '../bin/lib/paths.mjs';
import { followParent, launch } from '../bin/lib/processes.mjs';
import { type TasksWorld, tasksWorld } from './testing';

let world: TasksWorld;

// Where packages are found that stay outside of it.
mkdirSync(cacheDir, { recursive: true });
const built = mkdtempSync(path.join(cacheDir, 'crash-'));
const program = path.join(built, 'program.mjs');

beforeAll(async () => {
  world = await tasksWorld();
  // One file is loaded in a fifth of the time that its sources take, ten times here.
  await build({
    entryPoints: [path.join(import.meta.dirname, 'testing-program.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['react-server'],
    external: ['libsql', 'pg'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
    absWorkingDir: root,
  });
}, 120_000);

afterAll(async () => {
  await world.close();
  rmSync(built, { recursive: true });
});

/** A process that runs tasks, as a console does. */
function startProcess(more: { code?: string; dieAt?: StepName }) {
  const argument = JSON.stringify({ ...world.reach, ...more });
  const args = [...followParent, program, argument];
  return launch(process.execPath, args, { env: { CONSOLE_LOG_LEVEL: 'silent' } });
}

const code = "import time\nprint('begun')\nfor i in range(10):\n  time.sleep(.2)\nprint('done')";

it.each(stepNames)(
  'a console that is killed at the step %s leaves no sandbox behind, and the next one ends the task',
  async (step) => {
    const first = startProcess({ code, dieAt: step });
    await first.exited;
    expect(first.lastLines(5)).toEqual([]);
    // Until it runs, it begins again in another sandbox; from then on it goes on in its own.
    const [left] = (await world.store.list('mara', { limit: 1 })).tasks;
    const id = left?.id ?? '';
    expect(left?.endedAt).toBeUndefined();

    const second = startProcess({});
    const ended = await vi.waitUntil(
      async () => {
        const record = await world.store.find(id);
        return record?.endedAt === undefined ? undefined : record;
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(ended).toMatchObject({ state: 'succeeded', exitCode: 0 });
    if (step === 'run')
      expect(ended.notes.map((note) => note.code)).toEqual(expect.arrayContaining(['adopted', 'reconnected']));
    // Printed while nobody listened is not heard; what came before and after is.
    const text = (await world.store.contents.output(id, 0, 1_000)).map((chunk) => chunk.text).join('');
    if (step !== 'release' && step !== 'collect') expect(text).toMatch(/^begun\n/);
    expect(ended.output.outBytes).toBe(Buffer.byteLength(text));
    await vi.waitUntil(() => world.claimed().length === 0, { timeout: 30_000 });
    await world.isFull();
    second.signal('SIGKILL');
    await second.exited;
  },
  180_000,
);
