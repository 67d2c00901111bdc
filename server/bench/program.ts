import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../bin/lib/paths.mjs';
import { followParent, launch } from '../bin/lib/processes.mjs';

const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;

/** A part of the bench in a process of its own, so that its work does not slow down what is measured from here. */
export interface Program {
  /** When it has said that it is ready. */
  ready: Promise<void>;
  /** What it says in the end. */
  result: Promise<unknown>;
  /** Asks it to come to its end. */
  finish(): void;
  /** Ends it as a crash would. */
  kill(): void;
  pid: number;
  /** Calls back with every line that it prints from now on. */
  onLine(listener: (line: string) => void): void;
}

/**
 * Starts `programs/NAME.ts` with one argument. It prints lines of JSON: `"ready"`, and last an object, its result.
 * @param argument becomes JSON
 */
export function startProgram(name: 'churn' | 'history' | 'streams' | 'watch' | 'watchers', argument: object): Program {
  const file = join(root, 'server/bench/programs', `${name}.ts`);
  const args = [...followParent, '--conditions=react-server', '--import', tsx, file, JSON.stringify(argument)];
  // Its lines are for the bench.
  const child = launch(process.execPath, args, { env: { CONSOLE_LOG_LEVEL: 'silent' } });
  const line = (wanted: (value: unknown) => boolean) =>
    new Promise<unknown>((resolve, reject) => {
      child.onLine((text: string) => {
        const value = parsed(text);
        if (wanted(value)) resolve(value);
      });
      child.exited.then(() => reject(new Error(`${name} ended early: ${child.lastLines(5).join(' / ')}`)));
    });
  const ready = line((value) => value === 'ready').then(() => undefined);
  const result = line((value) => typeof value === 'object' && value !== null);
  // Whoever waits for one of them gets its failure; the other must not end the bench.
  ready.catch(() => undefined);
  result.catch(() => undefined);
  return {
    ready,
    result,
    finish: () => child.signal('SIGTERM'),
    kill: () => child.signal('SIGKILL'),
    // One that could not be started has ended: whoever waits for it gets that.
    pid: child.pid ?? 0,
    onLine: (listener) => void child.onLine(listener),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
