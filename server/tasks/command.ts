import 'server-only';
import type { CommandHandle } from 'e2b';
import { CommandExitError } from 'e2b';
import { type Claimed, home } from './e2b';

export const codePath = `${home}/task.py`;
const pidPath = '/tmp/agents-console-task.pid';
const exitPath = '/tmp/agents-console-task.exit';

/**
 * Runs the code and leaves its exit code in a file, so that it can be found out also when nobody listened at its end. The code
 * is a child whose process id is known: a signal to the shell would not reach it.
 */
export const runCommand = [
  `cd ${home}`,
  `python3 ${codePath} & pid=$!`,
  `echo $pid > ${pidPath}`,
  'wait $pid',
  'code=$?',
  `echo $code > ${exitPath}`,
  'exit $code',
].join('\n');

/** Printed lines are to be seen when they are printed, not when a buffer is full. What the person set goes before. */
export const commandEnv = (env: Readonly<Record<string, string>>) => ({ PYTHONUNBUFFERED: '1', ...env });

/** Ends the code in a sandbox that goes on. */
export const endCode = (sandbox: Claimed) => sandbox.sh(`kill -9 $(cat ${pidPath})`);

/** The exit code that the command left behind; undefined: it has not ended. */
export async function leftExitCode(sandbox: Claimed, signal: AbortSignal): Promise<number | undefined> {
  if (!(await sandbox.exists(exitPath))) return undefined;
  // The code may have written anything there.
  const text = (await sandbox.read(exitPath, 16, signal))?.toString().trim();
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** Waits for the end. @returns the exit code; -1 for a shell that was killed. Throws what else the client throws */
export async function exitCodeOf(handle: CommandHandle): Promise<number> {
  try {
    return (await handle.wait()).exitCode;
  } catch (error) {
    if (error instanceof CommandExitError) return error.exitCode;
    throw error;
  }
}
