import type { CommandExpansionPart } from 'unbash';
import { Pipe, readAll } from '../streams';
import { runScript } from './execute';
import { Expander } from './expand';
import type { Files } from './redirect';
import { type Shell, ShellError, subshell } from './state';

/** @param substituted told the status of each `$(…)` */
export const expanderOf = (shell: Shell, files: Files, substituted: (status: number) => void = () => {}) =>
  new Expander(shell, (part) => substitute(shell, part, files, substituted));

async function substitute(
  shell: Shell,
  part: CommandExpansionPart,
  files: Files,
  substituted: (status: number) => void,
): Promise<string> {
  if (!part.script) return '';
  const wrong = part.script.errors?.[0];
  if (wrong) throw new ShellError(`command substitution: syntax error: ${wrong.message}`, 2, true);
  const pipe = new Pipe();
  const inner = subshell(shell);
  const output = readAll(pipe);
  const [bytes] = await Promise.all([
    output.finally(() => pipe.break()),
    runScript(inner, part.script, new Map(files).set(1, pipe)).then(
      (status) => {
        substituted(status);
        pipe.end();
      },
      (error) => {
        pipe.end();
        throw error;
      },
    ),
  ]).catch((error) => {
    throw error instanceof RangeError ? new ShellError('command substitution: Cannot allocate memory') : error;
  });
  return Buffer.from(bytes).toString('utf8').replace(/\0/g, '').replace(/\n+$/, '');
}
