import { type Exit, Killed, type Process } from '../processes';
import { codeOf, reasonOf } from '../reasons';
import { BrokenPipe, type Sink, type Source } from '../streams';
import { scriptProgram } from './bash';
import { PROGRAMS } from './programs';
import { UsageError } from './programs/options';
import { type Files, sinkOf, sourceOfFile } from './redirect';
import { type Io, type Program, type Run, type Shell, ShellError } from './state';

const SIGNALS = { SIGKILL: { number: 9, text: 'Killed' }, SIGTERM: { number: 15, text: 'Terminated' } };

export const statusOf = (exit: Exit): number => ('code' in exit ? exit.code : 128 + SIGNALS[exit.signal].number);

/** Folders that programs are named with. */
const BINARIES = /^(\/usr)?(\/local)?\/s?bin\//;

/** @throws as bash does for what is no command */
export async function findProgram(shell: Shell, name: string): Promise<Program> {
  const known = PROGRAMS.get(name.replace(BINARIES, ''));
  if (known) return known;
  if (!name.includes('/')) throw new ShellError(`${name}: command not found`, 127);
  const { folder } = shell.machine;
  const inside = folder.resolve(shell.cwd, name);
  const stats = await folder.stat(inside).catch((error) => {
    throw new ShellError(`${name}: ${reasonOf(error)}`, 127);
  });
  if (stats.isDirectory()) throw new ShellError(`${name}: Is a directory`, 126);
  if ((stats.mode & 0o111) === 0) throw new ShellError(`${name}: Permission denied`, 126);
  return scriptProgram(inside);
}

/** What a killed program writes goes nowhere, and what it waits for does not come. */
function guarded(process: Process, files: Files): Io {
  const sink = (fd: number): Sink => ({
    write: async (chunk) => {
      process.killed.throwIfAborted();
      await sinkOf(files, fd)
        .write(chunk)
        .catch((error) => {
          throw codeOf(error) === undefined ? error : new ShellError(`write error: ${reasonOf(error)}`);
        });
    },
  });
  const stdin: Source = {
    read: async (signal) => {
      process.killed.throwIfAborted();
      const chunk = await sourceOfFile(files, 0).read(signal ?? process.killed);
      process.killed.throwIfAborted();
      return chunk;
    },
  };
  return { stdin, stdout: sink(1), stderr: sink(2) };
}

interface ProgramCall {
  readonly program: Program;
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Files;
  /** The command as it stands in the script. */
  readonly text: string;
  readonly pos: number;
}

/** Runs a program as a process of its own, or as the shell itself when it is all that the shell has to do. */
export async function runProgram(shell: Shell, call: ProgramCall): Promise<number> {
  const own = shell.direct;
  const process = own ? shell.process : shell.machine.processes.start([call.name, ...call.args].join(' '));
  const run: Run = {
    ...guarded(process, call.files),
    name: call.name,
    args: call.args,
    env: call.env,
    cwd: shell.cwd,
    user: shell.user,
    machine: shell.machine,
    process,
    depth: shell.depth,
  };
  if (own) return attempt(call.program, run);
  const exit = await process.run(() => attempt(call.program, run));
  shell.process.killed.throwIfAborted();
  if ('signal' in exit && exit.signal === 'SIGKILL') {
    const line = shell.source.slice(0, call.pos).split('\n').length;
    const said = `${shell.name}: line ${line}: ${String(process.pid).padStart(5)} ${SIGNALS.SIGKILL.text.padEnd(23)} ${call.text}\n`;
    await sinkOf(call.files, 2).write(Buffer.from(said));
  }
  return statusOf(exit);
}

/** One program; what the system refuses it, it says. */
export async function attempt(program: Program, run: Run): Promise<number> {
  try {
    return await program(run);
  } catch (error) {
    if (error instanceof Killed) throw error;
    if (error instanceof BrokenPipe) return 141;
    const isUsage = error instanceof UsageError;
    const said = Buffer.from(`${isUsage ? '' : `${run.name}: `}${reasonOf(error)}\n`);
    await run.stderr.write(said).catch((broken) => {
      if (!(broken instanceof BrokenPipe)) throw broken;
    });
    return isUsage || error instanceof ShellError ? error.status : 1;
  }
}
