import 'server-only';
import type { SandboxRow, SinceSource } from '@/lib/contracts/rows';
import type { PodDigest } from '@/lib/domain/facts';
import { unknownMs } from '../tables';

/** A stay of a sandbox in one state, stage and gate. Never changed: a new one takes its place. Times are epoch ms. */
export interface Stay {
  uid: string;
  /** When the console first saw it; with the uid it names the stay, and increases from stay to stay. */
  seen: number;
  ns: string;
  state: string;
  stage: string | undefined;
  gate: string | undefined;
  pool: string | undefined;
  node: string | undefined;
  revision: string | undefined;
  podUid: string | undefined;
  cause: string | undefined;
  /** Undefined exactly when the source is `unknown`. */
  from: number | undefined;
  fromSource: SinceSource;
  /** Start of the state and of the stage, which may have begun in an earlier stay. */
  stateFrom: number | undefined;
  stageFrom: number | undefined;
  /** While no condition times the state: what its row says. */
  observed?: ObservedStart | undefined;
  /** Absent: it is still there. */
  end?: StayEnd;
}

/**
 * Since when a state is seen, at least. Whoever finds the object with the same resourceVersion knows that it has not left the
 * state in between: a state is read from its object alone. With another version it may have left and come back.
 */
export interface ObservedStart {
  since: number;
  version: string;
}

export interface StayEnd {
  /** Of a torn one, until when it was seen. */
  at: number;
  torn: boolean;
  /** Whether the state, or the stage, ended with it. */
  state: boolean;
  stage: boolean;
}

/** What was seen of a sandbox. */
export interface Sight {
  row: SandboxRow;
  /** Its own. */
  pod: PodDigest | undefined;
  /** resourceVersion of the Sandbox. */
  version?: string | undefined;
  /** As it happened; else it happened at some time since `watched`. */
  live: boolean;
  now: number;
  /** Until when the cluster was watched before; only looked at when not live. */
  watched: number;
}

export const keyOf = ({ uid, seen }: Pick<Stay, 'uid' | 'seen'>): string => `${uid}/${seen}`;

/** A stay, or a row. */
type Place = { state: string; stage?: string | undefined; gate?: string | undefined };

export const isSamePlace = (a: Place, b: Place): boolean =>
  a.state === b.state && a.stage === b.stage && a.gate === b.gate;

export function ended(stay: Stay, at: number, next: Place | undefined, torn = false): Stay {
  const state = next?.state !== stay.state;
  return {
    ...stay,
    end: { at: Math.max(at, stay.from ?? stay.seen), torn, state, stage: state || next?.stage !== stay.stage },
  };
}

/** How long the stay, its stage and its state took, as they are stored; null: not over. */
export function durationsOf({ end, from, stageFrom, stateFrom, stage }: Stay): {
  ms: number | null;
  stage_ms: number | null;
  state_ms: number | null;
} {
  if (!end) return { ms: null, stage_ms: null, state_ms: null };
  const since = (start: number | undefined) => (start === undefined || end.torn ? unknownMs : end.at - start);
  return {
    ms: since(from),
    stage_ms: end.stage && stage !== undefined ? since(stageFrom) : null,
    state_ms: end.state ? since(stateFrom) : null,
  };
}
