import type { Command } from 'unbash';
import { LIMITS } from '../limits';
import { BUILTINS } from './builtins';
import { runCompound } from './compound';
import { runList, runStatements } from './execute';
import { type Files, redirect } from './redirect';
import { findProgram, runProgram } from './run-program';
import { environmentOf, type FunctionBody, getVar, Leave, type Shell, ShellError, setVar, unsupported } from './state';
import { expanderOf } from './substitute';

export async function runSimple(shell: Shell, node: Command, files: Files): Promise<number> {
  let substituted = 0;
  const expander = expanderOf(shell, files, (status) => {
    substituted = status;
  });
  const given: [string, string][] = [];
  for (const part of node.prefix) {
    if (part.type !== 'Assignment') continue;
    if (part.value.type === 'ArrayValue' || part.index) throw unsupported('arrays');
    const value = await expander.text(part.value);
    given.push([part.name, part.append ? (getVar(shell, part.name) ?? '') + value : value]);
    // `a=1 b=$a` gives both.
    if (!node.name) setVar(shell, part.name, given.at(-1)?.[1] ?? '');
  }
  const words = node.name ? await expander.words([node.name]) : [];
  for (const arg of node.args) {
    if (arg.type === 'Word') words.push(...(await expander.words([arg])));
    else if (arg.value.type === 'ArrayValue' || arg.index) throw unsupported('arrays');
    else words.push(`${arg.name}${arg.append ? '+' : ''}=${await expander.text(arg.value)}`);
  }
  const opened = await redirect(shell, expander, node.redirects, files);
  try {
    const [name, ...args] = words;
    if (name === undefined) return substituted;
    const body = shell.functions.get(name);
    if (body) return await callFunction(shell, body, args, given, opened.files);
    const builtin = BUILTINS.get(name);
    if (builtin)
      return await builtin({ shell, name, args, files: opened.files, pos: node.pos, given, run: runStatements });
    return await runProgram(shell, {
      program: await findProgram(shell, name),
      name,
      args,
      env: { ...environmentOf(shell), ...Object.fromEntries(given) },
      files: opened.files,
      text: shell.source.slice(node.pos, node.end),
      pos: node.pos,
    });
  } finally {
    await opened.close();
  }
}

async function callFunction(
  shell: Shell,
  body: FunctionBody,
  args: string[],
  given: [string, string][],
  files: Files,
): Promise<number> {
  const { params, locals: outer } = shell;
  if (shell.depth >= LIMITS.shellDepth) throw new ShellError('maximum nesting level exceeded', 2, true);
  const locals = new Map(given.map(([name]) => [name, shell.vars.get(name)]));
  for (const [name, value] of given) setVar(shell, name, value, true);
  shell.depth += 1;
  shell.params = args;
  shell.locals = locals;
  try {
    return await runBody(shell, body, files);
  } catch (error) {
    if (error instanceof Leave && error.kind === 'return') return error.value;
    throw error;
  } finally {
    shell.params = params;
    shell.depth -= 1;
    shell.locals = outer;
    for (const [name, variable] of locals) {
      if (variable) shell.vars.set(name, variable);
      else shell.vars.delete(name);
    }
  }
}

function runBody(shell: Shell, body: FunctionBody, files: Files): Promise<number> {
  return body.type === 'CompoundList' ? runList(shell, body, files, false) : runCompound(shell, body, files, false);
}
