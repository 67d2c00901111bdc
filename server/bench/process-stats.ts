import { readFileSync } from 'node:fs';

/** Says why a process cannot be looked at: these figures come from Linux's /proc. */
export class NoStats extends Error {}

function proc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    throw new NoStats(process.platform === 'linux' ? `process ${pid} is gone` : 'needs the /proc of Linux');
  }
}

/** Resident memory in MB. @throws NoStats */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(proc(pid, 'status'))?.[1];
  if (kib === undefined) throw new NoStats(`process ${pid} has no resident memory`);
  return (Number(kib) * 1024) / 1e6;
}

/** Linux counts in hundredths of a second wherever Node runs. */
const ticksPerSecond = 100;

/** CPU time used so far in seconds, all threads together. @throws NoStats */
export function cpuSeconds(pid: number): number {
  // The name of the program comes second, in brackets, and may hold anything.
  const fields = proc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
