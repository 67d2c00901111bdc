import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../../reasons';
import type { Source } from '../../streams';
import type { Run } from '../state';
import { UsageError } from './options';

export const say = (run: Run, text: string): Promise<void> => run.stdout.write(Buffer.from(text));

/** One character a byte. */
export const sayRaw = (run: Run, text: string): Promise<void> => run.stdout.write(Buffer.from(text, 'latin1'));

export const complain = (run: Run, text: string): Promise<void> =>
  run.stderr.write(Buffer.from(`${run.name}: ${text}\n`));

/** Text of an argument as one character a byte, as input is. */
export const raw = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

export function count(run: Run, text: string, what: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw new UsageError(`${run.name}: invalid number of ${what}: '${text}'`);
  return Number(text);
}

/** The path in the sandbox that an argument means. */
export const inside = (run: Run, name: string): string => run.machine.folder.resolve(run.cwd, name);

/**
 * Gives each file, or the standard input when none is named, to `use`; says which cannot be read.
 * @returns 0, or `failure` when one could not
 */
export async function eachInput(
  run: Run,
  names: readonly string[],
  use: (source: Source, name: string) => Promise<void>,
  failure = 1,
): Promise<number> {
  let status = 0;
  for (const name of names.length > 0 ? names : ['-']) {
    if (name === '-') {
      await use(run.stdin, '-');
      continue;
    }
    if (name === '/dev/null') continue;
    try {
      const source = await run.machine.folder.openRead(inside(run, name));
      try {
        await use(source, name);
      } finally {
        await source.close();
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      await complain(run, `${name}: ${reasonOf(error)}`);
      status = failure;
    }
  }
  return status;
}

/** Waits; a kill ends it. */
export async function sleepFor(run: Run, seconds: number): Promise<void> {
  // Timers have 31 bits.
  await delay(Math.min(seconds * 1000, 2 ** 31 - 1), undefined, { signal: run.process.killed }).catch(() => {
    run.process.killed.throwIfAborted();
  });
}
