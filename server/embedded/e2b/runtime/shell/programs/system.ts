import path from 'node:path';
import { BUILTINS } from '../builtins';
import { findProgram } from '../run-program';
import type { Program } from '../state';
import { complain, inside, say } from './io';
import { readOptions, UsageError } from './options';
import { asShell } from './processes';

const pad = (value: number, width = 2) => String(value).padStart(width, '0');
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const date: Program = async (run) => {
  const words = run.args.filter((arg) => arg !== '-u' && arg !== '--utc');
  const now = new Date();
  const [format = '+%a %b %e %H:%M:%S UTC %Y'] = words.map((word) =>
    /^-I|^--iso-8601/.test(word) ? '+%Y-%m-%d' : word,
  );
  if (words.length > 1 || !format.startsWith('+'))
    throw new UsageError(`${run.name}: '${words.join(' ')}' is not available in this sandbox`);
  const parts: Record<string, string> = {
    Y: String(now.getUTCFullYear()),
    m: pad(now.getUTCMonth() + 1),
    d: pad(now.getUTCDate()),
    e: String(now.getUTCDate()).padStart(2),
    H: pad(now.getUTCHours()),
    M: pad(now.getUTCMinutes()),
    S: pad(now.getUTCSeconds()),
    N: pad(now.getUTCMilliseconds() * 1e6, 9),
    s: String(Math.floor(now.getTime() / 1000)),
    F: now.toISOString().slice(0, 10),
    T: now.toISOString().slice(11, 19),
    A: DAYS[now.getUTCDay()] ?? '',
    a: DAYS[now.getUTCDay()]?.slice(0, 3) ?? '',
    B: MONTHS[now.getUTCMonth()] ?? '',
    b: MONTHS[now.getUTCMonth()]?.slice(0, 3) ?? '',
    Z: 'UTC',
    z: '+0000',
    n: '\n',
    '%': '%',
  };
  const text = format.slice(1).replace(/%(.)/g, (found, letter: string) => {
    const part = parts[letter];
    if (part === undefined) throw new UsageError(`${run.name}: '${found}' is not available in this sandbox`);
    return part;
  });
  await say(run, `${text}\n`);
  return 0;
};

const id: Program = async (run) => {
  const { has } = readOptions(run, 'ungG', { user: 'u', name: 'n', group: 'g' });
  const number = run.user === 'root' ? 0 : 1000;
  const one = has('n') ? run.user : String(number);
  const isOne = has('u') || has('g') || has('G');
  await say(
    run,
    isOne ? `${one}\n` : `uid=${number}(${run.user}) gid=${number}(${run.user}) groups=${number}(${run.user})\n`,
  );
  return 0;
};

const uname: Program = async (run) => {
  const { has } = readOptions(run, 'asnrvmo', { all: 'a' });
  const parts: [string, string][] = [
    ['s', 'Linux'],
    ['n', run.machine.hostname],
    ['r', '6.1.0'],
    ['v', '#1 SMP'],
    ['m', 'wasm32'],
    ['o', 'GNU/Linux'],
  ];
  const wanted = parts.filter(([letter]) => has('a') || has(letter) || (run.args.length === 0 && letter === 's'));
  await say(run, `${wanted.map(([, text]) => text).join(' ')}\n`);
  return 0;
};

const which: Program = async (run) => {
  let status = 0;
  for (const name of run.args) {
    const found = await findProgram(asShell(run), name).catch(() => undefined);
    if (found && !BUILTINS.has(name)) await say(run, name.includes('/') ? `${name}\n` : `/usr/bin/${name}\n`);
    else status = 1;
  }
  return status;
};

const seq: Program = async (run) => {
  const numbers = run.args.map(Number);
  if (numbers.length === 0 || numbers.length > 3 || numbers.some(Number.isNaN))
    throw new UsageError(`${run.name}: invalid floating point argument`);
  const [first, step, last] =
    numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (!step) throw new UsageError(`${run.name}: invalid Zero increment value: '0'`);
  const digits = Math.max(...run.args.map((arg) => arg.split('.')[1]?.length ?? 0));
  const total = Math.floor(((last ?? 0) - (first ?? 0)) / step + 1e-9) + 1;
  for (let at = 0; at < total; at += 1_000) {
    const some = Array.from(
      { length: Math.min(1_000, total - at) },
      (_, inner) => `${((first ?? 0) + (at + inner) * step).toFixed(digits)}\n`,
    );
    await say(run, some.join(''));
  }
  return 0;
};

const namePart =
  (part: (name: string, suffix: string | undefined) => string): Program =>
  async (run) => {
    const [name, suffix] = run.args;
    if (name === undefined) throw new UsageError(`${run.name}: missing operand`);
    await say(run, `${part(name, suffix)}\n`);
    return 0;
  };

const realpath: Program = async (run) => {
  for (const name of run.args) {
    const stats = await run.machine.folder.stat(inside(run, name)).catch(() => undefined);
    if (stats) await say(run, `${inside(run, name)}\n`);
    else {
      await complain(run, `${name}: No such file or directory`);
      return 1;
    }
  }
  return 0;
};

export const SYSTEM_PROGRAMS: Record<string, Program> = {
  basename: namePart((name, suffix) => path.posix.basename(name, suffix)),
  date,
  dirname: namePart((name) => path.posix.dirname(name)),
  hostname: async (run) => {
    await say(run, `${run.machine.hostname}\n`);
    return 0;
  },
  id,
  realpath,
  seq,
  uname,
  which,
  whoami: async (run) => {
    await say(run, `${run.user}\n`);
    return 0;
  },
};
