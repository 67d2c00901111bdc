import type { Problem } from '@/lib/contracts/problem';
import type { Freshness } from '@/lib/contracts/stream';

/** Data older than this is no longer called live (interface: freshness chip). Heartbeats come every 10 s. */
export const delayedAfterMs = 12_000;
/** A stream that comes back within this was never worth a banner. */
const reconnectGraceMs = 1_500;

export interface LiveStatus {
  /**
   * `loading`: no complete list yet, which is not the same as an empty one. `reconnecting`: rows are of
   * `dataFrom`. `failed`: there are no rows and `problem` says why. `forbidden`: rights are missing.
   */
  state: 'loading' | 'live' | 'delayed' | 'reconnecting' | 'paused' | 'failed' | 'forbidden';
  /** Time since the last proof that the slowest kind is current, in whole seconds. */
  ageMs: number;
  /** The same as a time of the server's clock; absent when nothing was loaded. */
  dataFrom?: number;
  freshness?: Freshness;
  problem?: Problem;
  /** While reconnecting: who does not answer, the console's own server or the API server behind it. */
  lost?: 'console' | 'cluster';
  /** And why, in the API server's or the system's words. */
  lostBecause?: string;
}

/** What the connection knows, for {@link deriveStatus}. Times are of the server's clock. */
export interface LiveFacts {
  now: number;
  /** Rows were listed at least once. */
  loaded: boolean;
  paused: boolean;
  /** The server ended the stream because rights were lost. */
  ended: boolean;
  /** When the stream was lost; absent while it is open. */
  downSince?: number | undefined;
  freshness?: Freshness | undefined;
  /** Server time of the last message or list. */
  heardAt?: number | undefined;
  problem?: Problem | undefined;
}

const core = ['sandboxes', 'sandboxsets'];

const unreachable = (message = ''): Problem => ({ code: 'upstream_unavailable', status: 503, message, requestId: '' });

export function deriveStatus(facts: LiveFacts): LiveStatus {
  const { freshness } = facts;
  const needed = freshness?.kinds.filter((kind) => kind.state !== 'missing' && kind.state !== 'forbidden') ?? [];
  const proofs = needed.flatMap((kind) => (kind.provenAt === undefined ? [] : [kind.provenAt]));
  const dataFrom = facts.loaded ? Math.min(facts.heardAt ?? facts.now, ...proofs) : undefined;
  const age = dataFrom === undefined ? 0 : Math.max(0, facts.now - dataFrom);
  // Never listed: its emptiness means nothing.
  const unread = needed.find((kind) => kind.state === 'degraded' && kind.provenAt === undefined);
  const refused = freshness?.kinds.filter((kind) => kind.state === 'forbidden').map((kind) => kind.kind) ?? [];

  const problem = facts.problem ?? (unread && unreachable(unread.reason));
  const down = facts.downSince !== undefined && facts.now - facts.downSince > reconnectGraceMs;
  const degraded = needed.find((kind) => kind.state === 'degraded');

  const state = (): LiveStatus['state'] => {
    if (facts.ended || problem?.code === 'forbidden' || core.every((kind) => refused.includes(kind)))
      return 'forbidden';
    if (!facts.loaded) return problem ? 'failed' : 'loading';
    if (unread) return 'failed';
    if (facts.paused) return 'paused';
    if (down || degraded) return 'reconnecting';
    if (needed.some((kind) => kind.state === 'syncing')) return 'loading';
    return age > delayedAfterMs ? 'delayed' : 'live';
  };

  const known = state();
  const lost = known !== 'reconnecting' ? {} : down ? ({ lost: 'console' } as const) : lostCluster(degraded?.reason);

  return {
    state: known,
    ...lost,
    ageMs: Math.floor(age / 1000) * 1000,
    ...(dataFrom === undefined ? {} : { dataFrom }),
    ...(freshness ? { freshness } : {}),
    ...(problem ? { problem } : {}),
  };
}

const lostCluster = (reason: string | undefined) =>
  ({ lost: 'cluster', ...(reason === undefined ? {} : { lostBecause: reason }) }) as const;

/** Whether nothing of it would look different. */
export function sameStatus(a: LiveStatus, b: LiveStatus): boolean {
  const parts = ['state', 'ageMs', 'dataFrom', 'freshness', 'problem', 'lost', 'lostBecause'] as const;
  return parts.every((part) => a[part] === b[part]);
}
