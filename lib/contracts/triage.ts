import { z } from 'zod';
import { historyStore } from './history';

/** Which sandboxes a mark is about: all whose row has every value that is given. A sandbox that comes later is covered too. */
export const markScope = z.object({
  ns: z.string().min(1),
  uid: z.string().optional(),
  pool: z.string().optional(),
  state: z.string().optional(),
  /** Cause code; `''`: those without a known cause. */
  cause: z.string().optional(),
  node: z.string().optional(),
  /** Template hash of the sandbox. */
  revision: z.string().optional(),
  image: z.string().optional(),
});
export type MarkScope = z.infer<typeof markScope>;

/**
 * Somebody's word on something stuck. `ack`: I am on it. `snooze`: look away until `until`; then it is back as if nothing
 * had been said. A mark goes by itself when nothing it covers has been stuck for a while.
 */
export const mark = z.object({
  id: z.string(),
  scope: markScope,
  kind: z.enum(['ack', 'snooze']),
  by: z.string(),
  at: z.number(),
  until: z.number().optional(),
  note: z.string().max(2_000).optional(),
  /** Goes up with every change: two people do not overwrite each other. */
  version: z.number().int().min(1),
});
export type Mark = z.infer<typeof mark>;

/** `GET /api/v1/triage?namespaces=…`: marks of the namespaces whose sandboxes the person may see. */
export const triageReply = z.object({ time: z.number(), store: historyStore, marks: z.array(mark) });
export type TriageReply = z.infer<typeof triageReply>;

/**
 * `PUT /api/v1/triage`: sets a mark on a scope. `version`: of the mark the person saw on exactly this scope, 0 for none;
 * another one meanwhile is refused with `conflict`, and the answer names who and when.
 */
export const setMarkRequest = z.object({
  scope: markScope,
  version: z.number().int().min(0),
  kind: z.enum(['ack', 'snooze']),
  /** Snooze only, and at most 24 hours ahead. */
  until: z.number().optional(),
  note: z.string().max(2_000).optional(),
});
export type SetMarkRequest = z.infer<typeof setMarkRequest>;
export const setMarkReply = z.object({ mark });
export type SetMarkReply = z.infer<typeof setMarkReply>;

/** `DELETE /api/v1/triage/{id}?version=…`: takes it back. */
export const removeMarkReply = z.object({ removed: z.boolean() });

/** `GET /api/v1/limits`: milliseconds after which a state is amber (`warn`) and red (`breach`), where they differ from the defaults. */
export const limitPair = z.object({ warn: z.number().int().min(1_000), breach: z.number().int().min(1_000) });
/** By display state. */
const stateLimits = z.record(z.string(), limitPair);
export const limitSettings = z.object({
  version: z.number().int().min(0),
  states: stateLimits,
  /** By `namespace/name` of the pool. */
  pools: z.record(z.string(), stateLimits),
  by: z.string().optional(),
  at: z.number().optional(),
});
export type LimitSettings = z.infer<typeof limitSettings>;
export const limitsReply = z.object({ time: z.number(), store: historyStore, settings: limitSettings });
export type LimitsReply = z.infer<typeof limitsReply>;
/** `PUT /api/v1/limits`: the whole of them, with the version that the person saw. */
export const setLimitsRequest = limitSettings.omit({ by: true, at: true });
export type SetLimitsRequest = z.infer<typeof setLimitsRequest>;
