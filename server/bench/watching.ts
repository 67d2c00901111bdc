import { z } from 'zod';
import { costOf } from './cost';
import { type Figure, figure, growth } from './figures';
import { noStats } from './process-stats';
import { startProgram } from './program';
import type { Stage } from './stage';

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
  const { result, busy, resident } = await costOf(pid, startProgram('watchers', { url, clients }), seconds);
  const { changes, missed, repeated, seconds: watching, p50, p99 } = watched.parse(result);
  return [
    figure('watchers of the API server', '', clients),
    figure('watchers: changes a second', '/s', changes / watching),
    figure('watchers: events missed', '', missed, { budget: 0 }),
    figure('watchers: events seen twice', '', repeated, { budget: 0 }),
    figure('watchers: lateness, p50', 'ms', p50 ?? undefined),
    figure('watchers: lateness, p99', 'ms', p99 ?? undefined),
    figure('watchers: embedded cluster, CPU of one core', '%', busy, { why: noStats }),
    figure('watchers: embedded cluster, resident', 'MB', resident.at(-1), { why: noStats }),
    figure('watchers: embedded cluster, growth in the window', 'MB', growth(resident), { why: noStats }),
  ];
}
