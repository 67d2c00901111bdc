import type { Signal } from '../../processes';
import { ShellError } from '../state';
import type { Builtin } from './call';

const wait: Builtin = async ({ shell, args }) => {
  const jobs = args.length === 0 ? shell.jobs : shell.jobs.filter((job) => args.includes(String(job.process.pid)));
  const statuses = await Promise.all(jobs.map((job) => job.done));
  shell.process.killed.throwIfAborted();
  if (args.length > 0 && jobs.length === 0)
    throw new ShellError(`wait: pid ${args[0]} is not a child of this shell`, 127);
  return args.length > 0 ? (statuses.at(-1) ?? 0) : 0;
};

const kill: Builtin = async ({ shell, args }) => {
  const words = [...args];
  let name = 'TERM';
  if (words[0] === '-s' || words[0] === '-n') name = words.splice(0, 2)[1] ?? '';
  else if (/^-[A-Z\d]/i.test(words[0] ?? '')) name = words.shift()?.slice(1) ?? '';
  const known: Record<string, Signal | null> = {
    0: null,
    9: 'SIGKILL',
    KILL: 'SIGKILL',
    15: 'SIGTERM',
    TERM: 'SIGTERM',
  };
  const signal = known[name.toUpperCase().replace(/^SIG/, '')];
  if (signal === undefined) throw new ShellError(`kill: ${name}: invalid signal specification`);
  if (words.length === 0) throw new ShellError('kill: usage: kill [-s sigspec | -n signum | -sigspec] pid', 2);
  for (const word of words) {
    const job = /^%(\d+)$/.exec(word);
    const target = job ? shell.jobs[Number(job[1]) - 1]?.process : shell.machine.processes.get(Number(word));
    if (!target) throw new ShellError(`kill: (${word}) - No such process`);
    if (signal) target.kill(signal);
  }
  shell.process.killed.throwIfAborted();
  return 0;
};

export const JOBS: Record<string, Builtin> = { kill, wait };
