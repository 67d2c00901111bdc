import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';

const keptLines = 400;
const running = new Set();
const endings = new Set();
const endingMs = 5_000;
let ending = false;

/** `node` arguments that make a child end when this process is gone. */
export const followParent = ['--import', pathToFileURL(join(root, 'server/bin/lib/follow-parent.mjs')).href];

/**
 * Starts a program in its own process group, so that a Ctrl-C in the terminal reaches this process alone and the
 * group can be ended as a whole, grandchildren included.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, log?: string, echo?: boolean, graceMs?: number }} [options]
 *   `log` is a file that gets all output; with `echo` it is shown too; `graceMs` is how long it may take to end
 */
export function launch(command, args, { env = {}, cwd = root, log, echo = false, graceMs = 1500 } = {}) {
  // Nobody would end it.
  if (ending) throw new Error(`${command} is not started any more: everything is being ended.`);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

  const lines = [];
  const listeners = new Set();
  if (log) mkdirSync(dirname(log), { recursive: true });
  const file = log ? createWriteStream(log) : undefined;
  // A full disk must not end what still works; the lines stay in memory.
  file?.on('error', () => {});
  for (const [stream, own] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    if (file) stream.pipe(file, { end: false });
    if (echo) stream.pipe(own, { end: false });
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      for (const listener of listeners) listener(line);
    });
  }

  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nobody is left in the group.
    }
  };

  /** Settles once: an exit code (128 + signal as shells count, 127 when it could not be started). */
  const exited = new Promise((resolve) => {
    let code = 127;
    child.once('error', (error) => {
      lines.push(error.message);
      resolve(code);
    });
    child.once('exit', (status, signal) => {
      code = status ?? (signal === 'SIGKILL' ? 137 : 143);
      // Its last words may still be in the pipe; a grandchild may hold the pipe open for ever.
      sleep(300).then(() => resolve(code));
    });
    child.once('close', () => resolve(code));
  }).then((code) => {
    running.delete(handle);
    signalGroup('SIGKILL');
    file?.end();
    return code;
  });

  const handle = {
    pid: child.pid,
    exited,
    /** The last lines of its output, oldest first. */
    lastLines: (count = 30) => lines.slice(-count),
    /** Calls back with every line from now on; returns the way to stop that. */
    onLine(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signal: signalGroup,
    /** Asks the group to end, and makes it after a while. */
    async stop(ms = graceMs) {
      signalGroup('SIGTERM');
      const timer = setTimeout(signalGroup, ms, 'SIGKILL');
      await exited;
      clearTimeout(timer);
    },
  };
  running.add(handle);
  return handle;
}

/** Goes on only while nothing has asked everything to end: who waits here then has nothing more to start or to say. */
export async function unlessEnding() {
  if (ending) await new Promise(() => {});
}

/**
 * Has something else done when everything is ended, before anything that was launched is.
 * @param {() => Promise<void>} stop
 */
export function atStop(stop) {
  endings.add(stop);
}

/** Ends everything that was launched from here. Whatever else is to be done has a few seconds for it. */
export async function stopAll() {
  ending = true;
  const done = Promise.allSettled([...endings].map((stop) => stop()));
  await Promise.race([done, sleep(endings.size === 0 ? 0 : endingMs, undefined, { ref: false })]);
  await Promise.all([...running].map((handle) => handle.stop()));
}

/** Ends what was launched at once, without asking. */
export function killAll() {
  for (const handle of running) handle.signal('SIGKILL');
}
