import 'server-only';
import type { SandboxRow, SinceSource } from '@/lib/contracts/rows';
import { reachedAt } from '@/lib/domain/diagnosis/gate-times';
import type { PodDigest } from '@/lib/domain/facts';
import { ended, isSamePlace, type Sight, type Stay } from './stay';

/** Times of the cluster have no fractions: within one they agree with what was seen. */
export const wholeSecond = 1_000;

interface Edge {
  at: number | undefined;
  source: SinceSource;
}

const unknown: Edge = { at: undefined, source: 'unknown' };

/**
 * Takes what was seen of a sandbox into its history.
 * @returns the stay it is in now, and the one that this ended; `open` is `before` itself when nothing is new
 */
export function follow(before: Stay | undefined, sight: Sight): { open: Stay; ended?: Stay } {
  if (!before) return { open: entered(undefined, stateEdge(undefined, sight), sight) };
  const { row, live, watched } = sight;
  const back = cameBack(before, sight);
  if (isSamePlace(before, row) && !back) return { open: withDetails(before, sight) };
  if (before.state === row.state && !back) return moved(before, sight);
  const edge = stateEdge(before, sight);
  const over = live ? ended(before, edge.at ?? sight.now, row) : ended(before, watched, undefined, true);
  return { open: entered(before, edge, sight), ended: over };
}

/** Only the stage or the gate is another: the state goes on. */
function moved(before: Stay, sight: Sight): { open: Stay; ended: Stay } {
  const { row, live, now, watched } = sight;
  const isSameStage = before.stage === row.stage;
  const edge = innerEdge(before, sight, isSameStage);
  const over = live ? ended(before, edge.at ?? now, row) : ended(before, watched, row, true);
  const open: Stay = {
    ...placed(before, sight),
    from: edge.at,
    fromSource: edge.source,
    stateFrom: before.stateFrom,
    stageFrom: isSameStage ? before.stageFrom : edge.at,
  };
  return { open, ended: over };
}

function entered(before: Stay | undefined, edge: Edge, sight: Sight): Stay {
  const { row, live } = sight;
  // What a list shows has gone through stages and gates that nobody saw.
  const inner = live || (row.gate === undefined && row.stage === undefined) ? edge : podEdge(edge.at, sight);
  const stageFrom = row.stage !== undefined && live ? edge.at : undefined;
  return {
    ...placed(before, sight),
    from: inner.at,
    fromSource: inner.source,
    stateFrom: edge.at,
    stageFrom,
  };
}

type Placed = Omit<Stay, 'from' | 'fromSource' | 'stateFrom' | 'stageFrom' | 'end'>;

function placed(before: Stay | undefined, { row, pod, now, version }: Sight): Placed {
  return {
    observed: observedStart(row, version),
    uid: row.uid,
    seen: Math.max(now, (before?.seen ?? 0) + 1),
    ns: row.ns,
    state: row.state,
    stage: row.stage,
    gate: row.gate,
    pool: row.pool,
    revision: row.hash,
    ...seenOf(row, pod),
  };
}

/** A paused sandbox has no Pod, and waits for nothing: what is seen of these is on behalf of the state to come. */
function seenOf(row: SandboxRow, pod: PodDigest | undefined): Pick<Stay, 'node' | 'podUid' | 'cause'> {
  if (row.state === 'Paused') return { node: undefined, podUid: undefined, cause: undefined };
  return { node: row.node, podUid: pod?.uid, cause: row.cause?.code };
}

function observedStart({ sinceFrom, since }: SandboxRow, version: string | undefined): Stay['observed'] {
  return sinceFrom === 'observed' && since !== undefined && version !== undefined ? { since, version } : undefined;
}

/** Where it is and why may become known, or change, while it stays. What is not told any more was true all the same. */
function withDetails(before: Stay, { row, pod, version }: Sight): Stay {
  const seen = seenOf(row, pod);
  const node = seen.node ?? before.node;
  const podUid = seen.podUid ?? before.podUid;
  // Outside of gates a cause holds nothing up any more when it is not told.
  const cause = seen.cause ?? (row.gate === undefined ? undefined : before.cause);
  const { pool, hash: revision } = row;
  const observed = observedStart(row, version);
  const isSame =
    observed?.since === before.observed?.since &&
    observed?.version === before.observed?.version &&
    node === before.node &&
    podUid === before.podUid &&
    cause === before.cause &&
    pool === before.pool &&
    revision === before.revision;
  return isSame ? before : { ...before, node, podUid, cause, pool, revision, observed };
}

/** Whether its state is the same, and yet another one: it began while nobody watched. */
function cameBack(before: Stay, { row, live, watched }: Sight): boolean {
  if (live || row.state !== before.state || !isTold(row.sinceFrom) || row.since === undefined) return false;
  const isLater = before.stateFrom === undefined || row.since > before.stateFrom + wholeSecond;
  return isLater && row.since > watched - wholeSecond;
}

const isTold = (source: SinceSource) => source === 'condition' || source === 'created';

/** Start of the state that it is in now. */
function stateEdge(before: Stay | undefined, sight: Sight): Edge {
  const { row, live, now, watched } = sight;
  const least = before ? (before.from ?? before.seen) : 0;
  if (isTold(row.sinceFrom) && row.since !== undefined) {
    const told = timed(row.since, live ? least : before ? Math.max(least, watched) : 0, now, row.sinceFrom);
    if (told) return told;
  }
  return live ? { at: Math.max(now, least), source: 'observed' } : unknown;
}

/** Start of the stage or the gate that it is at now, in the state it was in before. Of stages a Pod tells nothing. */
function innerEdge(before: Stay, sight: Sight, isSameStage: boolean): Edge {
  const least = before.from ?? before.seen;
  const told = isSameStage ? podEdge(sight.live ? least : Math.max(least, sight.watched), sight) : unknown;
  if (told.at !== undefined) return told;
  return sight.live ? { at: Math.max(sight.now, least), source: 'observed' } : unknown;
}

/** When the Pod says that it came to the gate, if that is not before it can have been there. */
function podEdge(least: number | undefined, { row, pod, now }: Sight): Edge {
  const at = pod && row.gate !== undefined ? reachedAt(row.gate, pod) : undefined;
  if (at === undefined || least === undefined) return unknown;
  return timed(at, least, now, 'condition') ?? unknown;
}

/** A time that an object tells, brought between what was seen; undefined when it does not fit, and so tells of something else. */
function timed(at: number, least: number, now: number, source: SinceSource): Edge | undefined {
  if (at < least - wholeSecond || at > now + wholeSecond) return undefined;
  return { at: Math.max(least, Math.min(at, now)), source };
}
