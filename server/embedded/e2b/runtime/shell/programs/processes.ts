import path from 'node:path';
import type { Signal } from '../../processes';
import { attempt, findProgram, statusOf } from '../run-program';
import type { Program, Run, Shell } from '../state';
import { say, sleepFor } from './io';
import { readOptions, UsageError } from './options';

/** `1`, `0.5`, `2m` in seconds. */
function seconds(run: Run, text: string): number {
  const found = /^(\d*\.?\d+|\d+\.)([smhd]?)$/.exec(text);
  if (!found)
    throw new UsageError(
      `${run.name}: invalid time interval '${text}'\nTry '${run.name} --help' for more information.`,
      run.name === 'timeout' ? 125 : 1,
    );
  return Number(found[1]) * { s: 1, m: 60, h: 3600, d: 86_400, '': 1 }[found[2] as 's'];
}

const sleep: Program = async (run) => {
  if (run.args.length === 0)
    throw new UsageError(`${run.name}: missing operand\nTry '${run.name} --help' for more information.`);
  await sleepFor(
    run,
    run.args.reduce((sum, arg) => sum + seconds(run, arg), 0),
  );
  return 0;
};

/** What a program sees of the shell that starts another one. */
export const asShell = (run: Run): Shell => ({ machine: run.machine, cwd: run.cwd }) as Shell;

/** Runs another program in place of this one. */
async function become(run: Run, words: readonly string[], env = run.env): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined) return 0;
  return attempt(await findProgram(asShell(run), name), { ...run, name, args, env });
}

const timeout: Program = async (run) => {
  const words = [...run.args];
  let signal: Signal = 'SIGTERM';
  while (words[0]?.startsWith('-')) {
    const flag = words.shift() ?? '';
    if (flag === '-s' || flag === '-k') {
      const value = words.shift() ?? '';
      if (flag === '-s' && /^(SIG)?KILL$|^9$/.test(value)) signal = 'SIGKILL';
    } else throw new UsageError(`${run.name}: invalid option -- '${flag.slice(1)}'`, 125);
  }
  const limit = seconds(run, words.shift() ?? '');
  const [name] = words;
  if (name === undefined) throw new UsageError(`${run.name}: missing operand`, 125);
  const child = run.machine.processes.start(words.join(' '));
  const onKill = () => child.kill('SIGKILL');
  run.process.killed.addEventListener('abort', onKill);
  const timer = limit > 0 ? setTimeout(() => child.kill(signal), Math.min(limit * 1000, 2 ** 31 - 1)) : undefined;
  try {
    const exit = await child.run(() => become({ ...run, process: child }, words));
    return 'signal' in exit ? (exit.signal === 'SIGKILL' ? 137 : 124) : statusOf(exit);
  } finally {
    clearTimeout(timer);
    run.process.killed.removeEventListener('abort', onKill);
  }
};

const env: Program = async (run) => {
  const words = [...run.args];
  const given: Record<string, string> = {};
  if (words[0] === '-i') throw new UsageError(`${run.name}: -i is not available in this sandbox`, 125);
  while (/^[a-z_]\w*=/i.test(words[0] ?? '')) {
    const [name = '', value = ''] = words.shift()?.split(/=(.*)/s) ?? [];
    given[name] = value;
  }
  const all = { ...run.env, ...given };
  if (words.length > 0) return become(run, words, all);
  await say(
    run,
    Object.entries(all)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return 0;
};

const ps: Program = async (run) => {
  const rows = run.machine.processes
    .list()
    .map((process) => `${String(process.pid).padStart(7)} ${run.user.padEnd(8)} ${process.command}\n`);
  await say(run, `    PID USER     COMMAND\n${rows.join('')}`);
  return 0;
};

function named(run: Run): { found: ReturnType<Run['machine']['processes']['list']>; has: (letter: string) => boolean } {
  const { rest, has } = readOptions(
    { ...run, args: run.args.filter((arg) => !/^-(9|KILL|15|TERM|SIGKILL|SIGTERM)$/.test(arg)) },
    'afxl',
    {},
    2,
  );
  const [pattern] = rest;
  if (pattern === undefined) throw new UsageError(`${run.name}: no matching criteria specified`, 2);
  const found = run.machine.processes.list().filter((process) => {
    const subject = has('f') ? process.command : path.posix.basename(process.command.split(' ')[0] ?? '');
    return process !== run.process && (has('x') ? subject === pattern : subject.includes(pattern));
  });
  return { found, has };
}

const pgrep: Program = async (run) => {
  const { found, has } = named(run);
  for (const process of found) await say(run, has('a') ? `${process.pid} ${process.command}\n` : `${process.pid}\n`);
  return found.length > 0 ? 0 : 1;
};

const pkill: Program = async (run) => {
  const signal: Signal = run.args.some((arg) => /^-(9|(SIG)?KILL)$/.test(arg)) ? 'SIGKILL' : 'SIGTERM';
  const { found } = named(run);
  for (const process of found) process.kill(signal);
  return found.length > 0 ? 0 : 1;
};

export const PROCESS_PROGRAMS: Record<string, Program> = {
  env,
  pgrep,
  pkill,
  printenv: async (run) => {
    const [name] = run.args;
    if (name === undefined) return env(run);
    const value = run.env[name];
    if (value !== undefined) await say(run, `${value}\n`);
    return value === undefined ? 1 : 0;
  },
  ps,
  sleep,
  timeout,
};
