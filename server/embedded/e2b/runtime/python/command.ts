import type { Program } from '../shell/state';
import type { PythonJob } from './python';

const USAGE = 'usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n';
const VERSION = 'import platform; print("Python", platform.python_version())';

/** `python3 [-uBIEsSqO] [-W ARG] [-X ARG] [-c TEXT | -m MODULE | FILE | -] [ARG…]` */
export const python: Program = async (run) => {
  const words = [...run.args];
  const start = (kind: PythonJob['kind'], value: string, argv: readonly string[]) =>
    run.machine.python({ kind, value, argv, env: run.env, cwd: run.cwd }, run, run.process);
  while (words[0]?.startsWith('-') && words[0] !== '-') {
    const flag = words.shift() ?? '';
    if (flag === '-V' || flag === '--version') return start('string', VERSION, ['']);
    if (flag === '-h' || flag === '--help') {
      await run.stdout.write(Buffer.from(USAGE));
      return 0;
    }
    // `-uc TEXT` and `-cTEXT` are `-c TEXT`, too.
    const found = /^-[uBIEsSqO]*([cmWX]?)(.*)$/s.exec(flag);
    const [, letter, rest = ''] = found ?? [];
    if (letter === '' && rest === '') continue;
    const value = rest || words.shift();
    if (!letter || value === undefined) {
      const what = letter ? `Argument expected for the -${letter} option` : `unknown option ${flag}`;
      await run.stderr.write(Buffer.from(`${what}\n${USAGE}`));
      return 2;
    }
    if (letter === 'c') return start('string', value, ['-c', ...words]);
    if (letter === 'm') return start('module', value, ['-m', ...words]);
  }
  const [file, ...args] = words;
  return file === undefined || file === '-'
    ? start('stdin', '', [file ?? '', ...args])
    : start('file', file, [file, ...args]);
};
