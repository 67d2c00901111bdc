import type { CommandNode, CompoundList, Script, Statement } from 'unbash';
import { Killed } from '../processes';
import { reasonOf } from '../reasons';
import { BrokenPipe } from '../streams';
import { runCompound } from './compound';
import { runAndOr, runPipeline, startJob } from './pipeline';
import { type Files, sinkOf } from './redirect';
import { runSimple } from './simple';
import { Leave, type Shell, ShellError } from './state';

/** What bash gives to a command that a broken pipe ended. */
const SIGPIPE_STATUS = 141;

/** So many commands may run before others of this process get their turn. */
const COMMANDS_A_TURN = 64;

let commandsThisTurn = 0;

/** Once for each command: a killed shell stops here, and an endless loop lets others work. */
export async function checkpoint(shell: Shell): Promise<void> {
  commandsThisTurn += 1;
  if (commandsThisTurn >= COMMANDS_A_TURN) {
    commandsThisTurn = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  shell.process.killed.throwIfAborted();
}

export function lineOf(shell: Shell, pos: number): number {
  return shell.source.slice(0, pos).split('\n').length;
}

/** A message as bash writes it, to whatever is its standard error then. */
export async function complain(shell: Shell, files: Files, pos: number, message: string): Promise<void> {
  await sinkOf(files, 2).write(Buffer.from(`${shell.name}: line ${lineOf(shell, pos)}: ${message}\n`));
}

/** Runs a script to its end in this shell; `exit` ends it. */
export async function runScript(shell: Shell, script: Script, files: Files): Promise<number> {
  const source = script.source;
  if (source !== undefined) shell.source = source;
  try {
    return await runStatements(shell, script, files);
  } catch (error) {
    if (error instanceof BrokenPipe) return SIGPIPE_STATUS;
    if (error instanceof Leave && error.kind === 'exit') return error.value;
    // `return` and `break` outside of what they leave end nothing but the script.
    if (error instanceof Leave) return error.kind === 'return' ? error.value : 0;
    throw error;
  }
}

export const runStatements = (shell: Shell, script: Script, files: Files): Promise<number> =>
  runList(shell, script, files, false);

export async function runList(
  shell: Shell,
  list: CompoundList | Script,
  files: Files,
  tested: boolean,
): Promise<number> {
  for (const statement of list.commands) await runStatement(shell, statement, files, tested);
  return shell.status;
}

/** @param tested the status is looked at (`if`, `&&`): `set -e` does not end the shell then */
async function runStatement(shell: Shell, statement: Statement, files: Files, tested: boolean): Promise<void> {
  await checkpoint(shell);
  if (statement.background) {
    startJob(shell, statement, files);
    shell.status = 0;
    return;
  }
  const { command } = statement;
  if (command.type === 'AndOr') shell.status = await runAndOr(shell, command, files, tested);
  else shell.status = await runPipeline(shell, command, files, tested);
}

/** Runs one command; what is wrong with it is said, and is its status. */
export async function runCommand(shell: Shell, node: CommandNode, files: Files, tested: boolean): Promise<number> {
  try {
    return node.type === 'Command'
      ? await runSimple(shell, node, files)
      : await runCompound(shell, node, files, tested);
  } catch (error) {
    if (error instanceof Leave || error instanceof Killed || error instanceof BrokenPipe) throw error;
    await complain(shell, files, node.pos, reasonOf(error));
    const status = error instanceof ShellError ? error.status : 1;
    if (error instanceof ShellError && error.fatal) throw new Leave('exit', status);
    return status;
  }
}
