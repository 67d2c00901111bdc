import type { CompoundCommand, CompoundList, Redirected } from 'unbash';
import type { Folder, User } from '../folder';
import type { Process, ProcessTable } from '../processes';
import type { PythonJob } from '../python/python';
import type { Sink, Source } from '../streams';
import type { Held } from './held';

/** What all commands of one sandbox share. */
export interface Machine {
  readonly folder: Folder;
  readonly processes: ProcessTable;
  readonly hostname: string;
  /** Runs Python as this process; answers its exit code. */
  python(job: PythonJob, io: Io, process: Process): Promise<number>;
}

export interface Io {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** One run of a program such as `cat`. */
export interface Run extends Io {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: User;
  readonly machine: Machine;
  readonly process: Process;
  readonly depth: number;
}

/** Answers its exit code; throws errors of the system, which are shown as `NAME: REASON`. */
export type Program = (run: Run) => Promise<number>;

export interface Variable {
  readonly value: string;
  readonly exported: boolean;
}

export interface Job {
  readonly process: Process;
  /** The exit code, when it comes. */
  readonly done: Promise<number>;
}

export type FunctionBody = CompoundCommand | Redirected | CompoundList;

/** A shell and everything that a subshell gets a copy of. */
export interface Shell {
  readonly machine: Machine;
  readonly user: User;
  readonly process: Process;
  /** `$0`, and what its messages begin with. */
  readonly name: string;
  /** The script, for the numbers of its lines. */
  source: string;
  params: readonly string[];
  readonly vars: Held<Variable>;
  readonly functions: Held<FunctionBody>;
  cwd: string;
  status: number;
  errexit: boolean;
  pipefail: boolean;
  jobs: Job[];
  depth: number;
  /** What the `local` variables of the function under way were before it. */
  locals: Map<string, Variable | undefined> | undefined;
  /** Whether the only command may be the process itself, as bash does without a fork. */
  direct: boolean;
  /** Commands in the background that still hold the output of the whole command. */
  readonly holding: Set<Promise<unknown>>;
}

export function subshell(shell: Shell, process = shell.process): Shell {
  return {
    ...shell,
    process,
    vars: shell.vars.copy(),
    functions: shell.functions.copy(),
    jobs: [],
    direct: false,
  };
}

/** Leaves commands that are under way: `exit`, `return`, `break` and `continue`. */
export class Leave extends Error {
  constructor(
    readonly kind: 'exit' | 'return' | 'break' | 'continue',
    /** The status, or how many loops. */
    readonly value: number,
  ) {
    super(kind);
  }
}

/** A message of the shell itself that ends the command with this status. */
export class ShellError extends Error {
  constructor(
    message: string,
    readonly status = 1,
    /** Ends the whole script: what is not understood must not go unnoticed in the middle of it. */
    readonly fatal = false,
  ) {
    super(message);
  }
}

export const unsupported = (what: string) => new ShellError(`${what}: not available in this sandbox`, 2, true);

export function getVar(shell: Shell, name: string): string | undefined {
  return shell.vars.get(name)?.value;
}

export function setVar(shell: Shell, name: string, value: string, exported?: boolean): void {
  shell.vars.set(name, { value, exported: exported ?? shell.vars.get(name)?.exported ?? false });
}

export function environmentOf(shell: Shell): Record<string, string> {
  const exported = [...shell.vars].filter(([, variable]) => variable.exported);
  return Object.fromEntries(exported.map(([name, { value }]) => [name, value]));
}
