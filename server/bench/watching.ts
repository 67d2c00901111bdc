import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Figure, figure, growth } from './figures';
import { cpuSeconds, noStats, residentMb } from './process-stats';
import { startProgram } from './program';
import type { Stage } from './stage';

const settleMs = 2_000;
const sampleMs = 250;

const watched = z.object({
  changes: z.number(),
  missed: z.number(),
  repeated: z.number(),
  seconds: z.number(),
  p50: z.number().nullable(),
  p99: z.number().nullable(),
});

/** Many plain watch clients on the API server itself: whether each gets every event, and what they cost it. */
export async function measureWatchers(stage: Stage, clients: number, seconds: number): Promise<Figure[]> {
  const { pid, url } = stage.api;
  const program = startProgram('watchers', { url, clients });
  await program.ready;
  await sleep(settleMs);
  const cpuBefore = cpuSeconds(pid);
  const startedAt = Date.now();
  const samples: number[] = [];
  while (Date.now() - startedAt < seconds * 1000) {
    samples.push(residentMb(pid) ?? Number.NaN);
    await sleep(sampleMs);
  }
  const cpu = cpuSeconds(pid);
  const elapsed = (Date.now() - startedAt) / 1000;
  const busy = cpuBefore === undefined || cpu === undefined ? undefined : (cpu - cpuBefore) / elapsed;
  program.finish();
  const result = watched.parse(await program.result);
  return [
    figure('watchers of the API server', '', clients),
    figure('watchers: changes a second', '/s', result.changes / result.seconds),
    figure('watchers: events missed', '', result.missed, { budget: 0 }),
    figure('watchers: events seen twice', '', result.repeated, { budget: 0 }),
    figure('watchers: lateness, p50', 'ms', result.p50 ?? undefined),
    figure('watchers: lateness, p99', 'ms', result.p99 ?? undefined),
    figure('watchers: embedded cluster, CPU of one core', '%', busy && busy * 100, { why: noStats }),
    figure('watchers: embedded cluster, resident', 'MB', samples.at(-1), { why: noStats }),
    figure('watchers: embedded cluster, growth in the window', 'MB', growth(samples), { why: noStats }),
  ];
}
