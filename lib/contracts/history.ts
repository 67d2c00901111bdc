import { z } from 'zod';
import { sinceSource } from './rows';

/**
 * What the console's server saw of the past. Times are epoch ms of the cluster's clock; nothing in here is invented: what
 * happened while the console was down, or before it first looked, is a gap or has an unknown start.
 */

const text = z.string();
const time = z.number();

/** The database behind these answers. `off`: none is set up; `unavailable`: it cannot be used now, and `why` says why. */
export const historyStore = z.object({
  state: z.enum(['ok', 'unavailable', 'off']),
  why: text.optional(),
  /** Nothing was stored from here on; absent while all is well. Answers still hold what is in memory. */
  lostSince: time.optional(),
  /** End of the oldest stay that is kept. */
  oldest: time.optional(),
  /** What is kept at most. */
  keepDays: z.number().optional(),
  keepRows: z.number().int().optional(),
});
export type HistoryStore = z.infer<typeof historyStore>;

/**
 * A stay of a sandbox in one place: the state the console shows, inside it the stage of an upgrade or the controller's gate
 * it waited at. Consecutive stays share their edge.
 */
export const stay = z.object({
  state: text,
  /** Reason of the Upgrading condition. */
  stage: text.optional(),
  /** Code of the gate it waited at (lib/domain/diagnosis/gates), when the state has gates. */
  gate: text.optional(),
  /** Absent exactly when `fromSource` is `unknown`: torn edge. */
  from: time.optional(),
  fromSource: sinceSource,
  /** Absent: it is still there, or (with `torn`) nobody saw it end. */
  to: time.optional(),
  /** The console was not watching when it ended: it lasted at least until `seenUntil`. */
  torn: z.literal(true).optional(),
  seenUntil: time.optional(),
  cause: text.optional(),
  node: text.optional(),
  revision: text.optional(),
  podUid: text.optional(),
});
export type Stay = z.infer<typeof stay>;

/** `GET /api/v1/history/sandboxes/{namespace}/{uid}`: what a sandbox did from its creation to now, oldest first. */
export const sandboxHistoryReply = z.object({
  time,
  store: historyStore,
  /** The console has watched since then: what lies before comes from conditions, or is not there. */
  since: time,
  stays: z.array(stay),
  /** Stretches in which the console did not watch. */
  gaps: z.array(z.object({ from: time, to: time })),
});
export type SandboxHistoryReply = z.infer<typeof sandboxHistoryReply>;

/** What durations are grouped by. */
export const durationGroup = z.enum(['none', 'pool', 'node', 'revision']);
export type DurationGroup = z.infer<typeof durationGroup>;

/** How long stays of one kind lasted, ms. Only stays with a known start and end count. */
export const durationFigures = z.object({
  state: text,
  stage: text.optional(),
  gate: text.optional(),
  /** Value of what was grouped by, of pools `namespace/name`; `''` when a stay has none. Absent without grouping. */
  group: text.optional(),
  count: z.number().int(),
  /** Stays left out, because their start or end is unknown. */
  unknown: z.number().int(),
  min: z.number().optional(),
  p25: z.number().optional(),
  p50: z.number().optional(),
  p75: z.number().optional(),
  p95: z.number().optional(),
  p99: z.number().optional(),
  max: z.number().optional(),
});
export type DurationFigures = z.infer<typeof durationFigures>;

/**
 * `GET /api/v1/history/durations?namespaces&pool=ns/name&node&revision&from&to&by`: durations of stays that ended between
 * `from` and `to` (default: the last 24 hours; the answer may be some seconds old, and says of which time it is). One entry a
 * state, one more for each of its stages and gates.
 */
export const durationsReply = z.object({
  time,
  store: historyStore,
  from: time,
  to: time,
  by: durationGroup,
  figures: z.array(durationFigures),
});
export type DurationsReply = z.infer<typeof durationsReply>;
