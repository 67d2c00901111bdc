import { homeOf } from '../../folder';
import { reasonOf } from '../../reasons';
import { textToBytes } from '../../streams';
import { testHolds } from '../conditions';
import { printf, unescaped } from '../printf';
import { sinkOf } from '../redirect';
import { getVar, Leave, ShellError, setVar } from '../state';
import { type Builtin, wholeNumber, write } from './call';

const leave =
  (kind: Leave['kind']): Builtin =>
  async ({ shell, name, args }) => {
    const isLoop = kind === 'break' || kind === 'continue';
    const value = wholeNumber(name, args[0], isLoop ? 1 : shell.status);
    throw new Leave(kind, isLoop ? Math.max(1, value) : value & 0xff);
  };

const cd: Builtin = async ({ shell, args, files }) => {
  const target = args[0] ?? getVar(shell, 'HOME') ?? homeOf(shell.user);
  const { folder } = shell.machine;
  const to = target === '-' ? (getVar(shell, 'OLDPWD') ?? shell.cwd) : folder.resolve(shell.cwd, target);
  const stats = await folder.stat(to).catch((error) => {
    throw new ShellError(`cd: ${target}: ${reasonOf(error)}`);
  });
  if (!stats.isDirectory()) throw new ShellError(`cd: ${target}: Not a directory`);
  setVar(shell, 'OLDPWD', shell.cwd, true);
  shell.cwd = to;
  setVar(shell, 'PWD', to, true);
  if (target === '-') await write(files, `${to}\n`);
  return 0;
};

const echo: Builtin = async ({ args, files }) => {
  const words = [...args];
  let newline = '\n';
  let escapes = false;
  while (/^-[neE]+$/.test(words[0] ?? '')) {
    const flag = words.shift() ?? '';
    if (flag.includes('n')) newline = '';
    if (flag.includes('e')) escapes = true;
    if (flag.includes('E')) escapes = false;
  }
  const text = Buffer.from(words.join(' ')).toString('latin1');
  const said = escapes ? unescaped(text) : { text, stop: false };
  await sinkOf(files, 1).write(textToBytes(said.text + (said.stop ? '' : newline)));
  return 0;
};

export const BASICS: Record<string, Builtin> = {
  ':': async () => 0,
  '[': async ({ shell, args }) => {
    if (args.at(-1) !== ']') throw new ShellError("[: missing `]'", 2);
    return (await testHolds(shell, args.slice(0, -1))) ? 0 : 1;
  },
  break: leave('break'),
  cd,
  continue: leave('continue'),
  echo,
  exit: leave('exit'),
  false: async () => 1,
  printf: async ({ args, files }) => {
    const [format, ...rest] = args[0] === '--' ? args.slice(1) : args;
    if (format === undefined) throw new ShellError('printf: usage: printf [-v var] format [arguments]', 2);
    await sinkOf(files, 1).write(textToBytes(printf(format, rest)));
    return 0;
  },
  pwd: async ({ shell, files }) => {
    await write(files, `${shell.cwd}\n`);
    return 0;
  },
  return: leave('return'),
  test: async ({ shell, args }) => ((await testHolds(shell, args)) ? 0 : 1),
  true: async () => 0,
};
