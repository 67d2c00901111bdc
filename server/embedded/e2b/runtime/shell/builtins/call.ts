import type { Script } from 'unbash';
import { type Files, sinkOf } from '../redirect';
import { type Shell, ShellError } from '../state';

/** One command of the shell itself. */
export interface Call {
  readonly shell: Shell;
  readonly name: string;
  readonly args: readonly string[];
  readonly files: Files;
  readonly pos: number;
  /** Assignments before the command. */
  readonly given: readonly [string, string][];
  /** Runs statements in this shell; `exit` goes through. */
  readonly run: (shell: Shell, script: Script, files: Files) => Promise<number>;
}

export type Builtin = (call: Call) => Promise<number>;

export const write = (files: Files, text: string): Promise<void> => sinkOf(files, 1).write(Buffer.from(text));

export function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[-+]?\d+$/.test(text)) throw new ShellError(`${name}: ${text}: numeric argument required`, 2);
  return Number(text);
}
