import { sourceOfFile } from '../redirect';
import { environmentOf, getVar, ShellError, setVar, unsupported } from '../state';
import { type Builtin, wholeNumber, write } from './call';

const NAME = /^([a-z_]\w*)(?:=(.*))?$/is;

const declare =
  (exported: boolean | undefined): Builtin =>
  async ({ shell, name, args, files }) => {
    if (args.length === 0 || args[0] === '-p') {
      for (const [key, value] of Object.entries(environmentOf(shell)).sort())
        await write(files, `declare -x ${key}="${value}"\n`);
    }
    for (const arg of args) {
      if (arg === '-p' || arg === '--') continue;
      const found = NAME.exec(arg);
      if (!found?.[1]) throw new ShellError(`${name}: \`${arg}': not a valid identifier`);
      if (found[2] !== undefined || exported)
        setVar(shell, found[1], found[2] ?? getVar(shell, found[1]) ?? '', exported);
    }
    return 0;
  };

const read: Builtin = async ({ shell, args, files }) => {
  const names = args.filter((arg) => arg !== '-r');
  const flag = names.find((arg) => arg.startsWith('-'));
  if (flag !== undefined) throw unsupported(`read ${flag}`);
  const source = sourceOfFile(files, 0);
  const { line, ended } = await readLine(source);
  const words = line.trim().split(/[ \t]+/);
  names.forEach((name, at) => {
    const isLast = at === names.length - 1;
    setVar(shell, name, isLast ? lastOf(line.trim(), at) : (words[at] ?? ''));
  });
  if (names.length === 0) setVar(shell, 'REPLY', line);
  return ended ? 1 : 0;
};

const lastOf = (line: string, at: number): string =>
  new RegExp(`^(?:[^ \\t]+[ \\t]+){${at}}(.*)$`, 's').exec(line)?.[1] ?? '';

/** Reads up to a line feed, and gives back what comes after it. */
async function readLine(source: ReturnType<typeof sourceOfFile>): Promise<{ line: string; ended: boolean }> {
  let held = Buffer.alloc(0);
  for (;;) {
    const chunk = await source.read();
    if (!chunk) return { line: held.toString('utf8'), ended: true };
    const at = chunk.indexOf(10);
    if (at < 0) {
      held = Buffer.concat([held, chunk]);
      continue;
    }
    const rest = chunk.subarray(at + 1);
    if (rest.length > 0) unread(source, rest);
    return { line: Buffer.concat([held, chunk.subarray(0, at)]).toString('utf8'), ended: false };
  }
}

function unread(source: ReturnType<typeof sourceOfFile>, rest: Uint8Array): void {
  const { read } = source;
  source.read = async () => {
    source.read = read;
    return rest;
  };
}

const set: Builtin = async ({ shell, args }) => {
  const words = [...args];
  while (/^[-+]/.test(words[0] ?? '')) {
    const word = words.shift() ?? '';
    if (word === '--') break;
    const on = word.startsWith('-');
    const option = word.slice(1) === 'o' || word.slice(1) === 'eo' ? words.shift() : undefined;
    if (word.includes('e')) shell.errexit = on;
    if (option === 'pipefail') shell.pipefail = on;
    else if (option === 'errexit') shell.errexit = on;
    else if (option !== undefined) throw unsupported(`set ${word} ${option}`);
    if (!/^[-+][eo]+$/.test(word)) throw unsupported(`set ${word}`);
  }
  if (words.length > 0 || args.at(-1) === '--') shell.params = words;
  return 0;
};

const local: Builtin = async (call) => {
  const { locals, vars } = call.shell;
  if (!locals) throw new ShellError('local: can only be used in a function');
  for (const arg of call.args) {
    const name = NAME.exec(arg)?.[1];
    if (name !== undefined && !locals.has(name)) locals.set(name, vars.get(name));
    if (name === arg) setVar(call.shell, name, '');
  }
  return declare(undefined)(call);
};

const shift: Builtin = async ({ shell, name, args }) => {
  const count = wholeNumber(name, args[0], 1);
  if (count > shell.params.length) return 1;
  shell.params = shell.params.slice(count);
  return 0;
};

const unset: Builtin = async ({ shell, args }) => {
  for (const name of args) {
    if (name === '-v' || name === '-f') continue;
    shell.vars.delete(name);
    shell.functions.delete(name);
  }
  return 0;
};

export const VARIABLES: Record<string, Builtin> = {
  export: declare(true),
  local,
  read,
  set,
  shift,
  unset,
};
