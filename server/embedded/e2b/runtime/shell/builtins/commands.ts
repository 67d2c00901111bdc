import { PROGRAMS } from '../programs';
import { sinkOf } from '../redirect';
import { findProgram, runProgram } from '../run-program';
import { environmentOf, Leave, type Shell, unsupported } from '../state';
import { BUILTINS } from '.';
import { type Builtin, type Call, write } from './call';

function kindOf(shell: Shell, name: string): string | undefined {
  if (shell.functions.has(name)) return 'function';
  if (BUILTINS.has(name)) return 'builtin';
  return PROGRAMS.has(name) ? `/usr/bin/${name}` : undefined;
}

const type: Builtin = async ({ shell, args, files }) => {
  let status = 0;
  for (const name of args) {
    const kind = kindOf(shell, name);
    if (kind === undefined) {
      await sinkOf(files, 2).write(Buffer.from(`${shell.name}: line 1: type: ${name}: not found\n`));
      status = 1;
    } else
      await write(
        files,
        kind.startsWith('/') ? `${name} is ${kind}\n` : `${name} is a ${kind === 'builtin' ? 'shell builtin' : kind}\n`,
      );
  }
  return status;
};

const command: Builtin = async (call) => {
  const [flag, ...rest] = call.args;
  if (flag !== '-v') return runAsCommand(call, call.args);
  let status = 0;
  for (const name of rest) {
    const kind = kindOf(call.shell, name);
    if (kind === undefined) status = 1;
    else await write(call.files, `${kind.startsWith('/') ? kind : name}\n`);
  }
  return status;
};

/** A command without the functions of the shell. */
async function runAsCommand(call: Call, words: readonly string[]): Promise<number> {
  const { shell, files, pos } = call;
  const [name, ...args] = words;
  if (name === undefined) return 0;
  const builtin = BUILTINS.get(name);
  if (builtin) return builtin({ ...call, name, args });
  const env = { ...environmentOf(shell), ...Object.fromEntries(call.given) };
  return runProgram(shell, {
    program: await findProgram(shell, name),
    name,
    args,
    env,
    files,
    text: words.join(' '),
    pos,
  });
}

const exec: Builtin = async (call) => {
  if (call.args.length === 0) throw unsupported('exec without a command');
  throw new Leave('exit', await runAsCommand(call, call.args));
};

export const COMMANDS: Record<string, Builtin> = { command, exec, type };
