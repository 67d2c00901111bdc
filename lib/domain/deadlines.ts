import type { SandboxRow } from '@/lib/contracts/rows';

/** Further away than this is nobody's deadline: `forever` is written as now + 100 years (domain 2.3, 11.4). */
const noLimitAfterMs = 10 * 365.25 * 24 * 60 * 60 * 1000;

/** A deadline as a reader means it; `none`: so far ahead that it stands for "never". */
export function deadlineOf(at: number | undefined, now: number): number | 'none' | undefined {
  if (at === undefined) return undefined;
  return at - now > noLimitAfterMs ? 'none' : at;
}

/**
 * What the cluster will do with a sandbox by itself: `pause` and `shutdown` lie ahead, `pauseDue` and `expired`
 * have passed and were not seen to happen yet. Times are epoch ms.
 */
export interface NextThing {
  kind: 'pause' | 'pauseDue' | 'shutdown' | 'expired';
  at: number;
}

type Timed = Pick<SandboxRow, 'state' | 'cause' | 'paused' | 'pauseAt' | 'shutdownAt'>;

/** The nearer of the two timers, as far as the controller heeds them in this state (domain 4.1 step 6 and 8). */
export function nextThing(row: Timed, now: number): NextThing | undefined {
  if (!heedsTimers(row)) return undefined;
  const shutdown = deadlineOf(row.shutdownAt, now);
  const pause = row.paused || row.state === 'Upgrading' ? undefined : deadlineOf(row.pauseAt, now);
  const shutdownAt = typeof shutdown === 'number' ? shutdown : Number.POSITIVE_INFINITY;
  const pauseAt = typeof pause === 'number' ? pause : Number.POSITIVE_INFINITY;
  if (pauseAt < shutdownAt) return { kind: pauseAt > now ? 'pause' : 'pauseDue', at: pauseAt };
  if (shutdownAt === Number.POSITIVE_INFINITY) return undefined;
  return { kind: shutdownAt > now ? 'shutdown' : 'expired', at: shutdownAt };
}

/** What has ended keeps its deadlines for ever and nothing acts on them (T27), be it kept for debugging or not (domain 4.1 step 6). */
function heedsTimers(row: Timed): boolean {
  switch (row.state) {
    case 'Terminating':
    case 'Failed':
    case 'Succeeded':
      return false;
    case 'Recycling':
      return row.cause?.code === 'RecycleFailed';
    default:
      return true;
  }
}
