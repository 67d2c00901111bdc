import { parse } from 'unbash';
import { LIMITS } from '../../limits';
import { reasonOf } from '../../reasons';
import { readAll } from '../../streams';
import { syntaxError } from '../bash';
import { type Files, sinkOf } from '../redirect';
import { Leave, type Shell, ShellError } from '../state';
import type { Builtin, Call } from './call';

const evaluate: Builtin = async ({ shell, args, files, run }) => {
  const source = args.join(' ');
  return runText(shell, source, 'eval', files, run);
};

async function runText(shell: Shell, source: string, what: string, files: Files, run: Call['run']): Promise<number> {
  const script = parse(source);
  const wrong = syntaxError(`${shell.name}: ${what}`, source, script);
  if (wrong !== undefined) {
    await sinkOf(files, 2).write(Buffer.from(wrong));
    return 2;
  }
  if (shell.depth >= LIMITS.shellDepth) throw new ShellError(`${what}: maximum nesting level exceeded`, 2, true);
  const before = shell.source;
  shell.source = source;
  shell.depth += 1;
  try {
    shell.status = 0;
    return await run(shell, script, files);
  } finally {
    shell.source = before;
    shell.depth -= 1;
  }
}

const sourceFile: Builtin = async ({ shell, name, args, files, run }) => {
  const [file] = args;
  if (file === undefined) throw new ShellError(`${name}: filename argument required`, 2);
  const { folder } = shell.machine;
  const opened = await folder.openRead(folder.resolve(shell.cwd, file)).catch((error) => {
    throw new ShellError(`${file}: ${reasonOf(error)}`);
  });
  try {
    return await runText(shell, Buffer.from(await readAll(opened)).toString('utf8'), file, files, run);
  } catch (error) {
    if (error instanceof Leave && error.kind === 'return') return error.value;
    throw error;
  } finally {
    await opened.close();
  }
};

export const SCRIPTS: Record<string, Builtin> = { '.': sourceFile, eval: evaluate, source: sourceFile };
