import { readFileSync } from 'node:fs';

const readable = process.platform === 'linux';

/** Why there are no figures of processes elsewhere. */
export const noStats = 'needs the /proc of Linux';

/** Resident memory in MB; undefined where it cannot be read. @throws when the process is gone */
export function residentMb(pid: number): number | undefined {
  if (!readable) return undefined;
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kib) * 1024) / 1e6;
}

/** Linux counts in hundredths of a second wherever Node runs. */
const ticksPerSecond = 100;

/** CPU time used so far in seconds, all threads together; undefined where it cannot be read. @throws when it is gone */
export function cpuSeconds(pid: number): number | undefined {
  if (!readable) return undefined;
  // The name of the program comes second, in brackets, and may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
