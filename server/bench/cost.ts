import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, residentMb } from './process-stats';
import type { Program } from './program';

const settleMs = 3_000;
const sampleMs = 250;

/** What a process took while a program used it. */
export interface Cost {
  /** What the program said in the end. */
  result: unknown;
  /** CPU in percent of one core; undefined where it cannot be read. */
  busy: number | undefined;
  /** Resident memory in MB, in the order of time; not a number where it cannot be read. */
  resident: number[];
}

/** Measures a process for some seconds, from when the program is ready and what it started has settled; then ends the program. */
export async function costOf(pid: number, program: Program, seconds: number): Promise<Cost> {
  await program.ready;
  await sleep(settleMs);
  const cpuBefore = cpuSeconds(pid);
  const startedAt = Date.now();
  const resident: number[] = [];
  while (Date.now() - startedAt < seconds * 1000) {
    resident.push(residentMb(pid) ?? Number.NaN);
    await sleep(sampleMs);
  }
  const cpu = cpuSeconds(pid);
  const elapsed = (Date.now() - startedAt) / 1000;
  program.finish();
  return {
    result: await program.result,
    busy: cpuBefore === undefined || cpu === undefined ? undefined : ((cpu - cpuBefore) / elapsed) * 100,
    resident,
  };
}
