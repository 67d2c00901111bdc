import type { EventRow } from '@/lib/contracts/objects';
import type { DisplayState, SandboxRow } from '@/lib/contracts/rows';
import type { LimitsInForce } from '../limits';
import { compact, record } from '../read';
import { type ObservedState, type Since, sinceOf } from '../sandbox-state';
import { dwellOf, overdueBy, rowLimits, severityOf } from '../severity';
import { parseTime } from '../time';
import { poolOf } from './read-sandbox';
import type { SandboxScene } from './scene';
import type { Limit, Verdict } from './verdict';

/** The event that the controller records when a phase begins (domain 10). */
const startEvents: Partial<Record<DisplayState, string>> = {
  Failed: 'SandboxFailed',
  Succeeded: 'SandboxSucceeded',
  Pausing: 'SandboxPaused',
  Resuming: 'SandboxResuming',
  Upgrading: 'SandboxUpgrading',
  Recycling: 'SandboxRecycling',
};

/**
 * Start of the state by the clock of `now`: a condition, the creation, what was observed, or else the event of the phase.
 * `skew`: milliseconds that the clock of the cluster is ahead of that of `now`; `observed` is of the latter.
 */
export function sinceAt(scene: SandboxScene, observed: ObservedState | undefined, skew: number): Since {
  const here = observed && { ...observed, at: observed.at + skew };
  const known = sinceOf(scene.facts, scene.state, here);
  const found = known.at === undefined ? fromEvents(scene) : known;
  return found.at === undefined ? found : { ...found, at: found.at - skew };
}

function fromEvents({ state, more }: SandboxScene): Since {
  const reason = startEvents[state];
  const ofPhase = (event: EventRow) => event.reason === reason && event.at !== undefined;
  const at = reason === undefined ? undefined : more?.events?.find(ofPhase)?.at;
  return at === undefined ? { from: 'unknown' } : { at, from: 'event' };
}

type Timed = Pick<Verdict, 'since' | 'clock' | 'dwellMs' | 'aheadMs' | 'atLeast' | 'limit' | 'severity'>;

/** How long, how far past the limits of the state, and how bad that is. `now` and `since` are of one clock. */
export function timed(
  scene: SandboxScene,
  since: Since,
  never: boolean,
  reserved: boolean,
  now: number,
  limits: LimitsInForce,
): Timed {
  const { facts, state, more } = scene;
  const pool = poolOf(more?.sandbox);
  const stage = facts.phase === 'Upgrading' ? facts.conditions.Upgrading?.reason : undefined;
  const spec = record(more?.sandbox.spec);
  // Deadlines and the creation are times of the cluster's clock.
  const here = (at: number | undefined) => at && at - ((more?.now ?? now) - now);
  const row = {
    ...compact<Pick<SandboxRow, 'pauseAt' | 'shutdownAt' | 'created'>>({
      pauseAt: here(parseTime(spec.pauseTime)),
      shutdownAt: here(parseTime(spec.shutdownTime)),
      created: here(facts.created),
    }),
    ...(facts.paused ? { paused: true as const } : {}),
    state,
    ns: more?.ns ?? '',
    ...(pool === undefined ? {} : { pool }),
    sinceFrom: since.from,
    ...(since.at === undefined ? {} : { since: since.at }),
    ...(stage === undefined ? {} : { stage }),
    ...(facts.idle ? { idle: true as const } : {}),
    ...(facts.locked ? { locked: true as const } : {}),
    ...(reserved ? { reserved: true as const } : {}),
    // Only whether it converges is read of a cause here.
    ...(never ? { cause: { code: 'InitImageMismatch' as const, never: true as const } } : {}),
  };
  const dwell = dwellOf(row, now);
  const own = rowLimits(row, limits);
  const over = overdueBy(row, now, limits);
  const limit: Limit | undefined = own && { warnMs: own.warn, breachMs: own.breach };
  if (limit && over && over.ms > 0) limit.overMs = over.ms;
  return {
    clock: since.from,
    atLeast: dwell.atLeast,
    severity: severityOf(row, now, limits),
    ...(since.at === undefined ? {} : { since: since.at }),
    ...(dwell.ms === undefined ? {} : { dwellMs: dwell.ms }),
    ...(since.at !== undefined && since.at > now ? { aheadMs: since.at - now } : {}),
    ...(limit ? { limit } : {}),
  };
}
