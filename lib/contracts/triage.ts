import { z } from 'zod';
import { historyStore } from './history';

/** Of a change or, where that was another one, of the moment: far below what a number can hold. */
const seenVersion = z
  .number()
  .int()
  .min(0)
  .max(2 ** 52);

const part = z.string().max(1_000).optional();

/** Which sandboxes a mark is about: all whose row has every value that is given. A sandbox that comes later is covered too. */
export const markScope = z.object({
  ns: z.string().min(1).max(63),
  uid: part,
  pool: part,
  state: part,
  /** Cause code; `''`: those without a known cause. */
  cause: part,
  node: part,
  /** Template hash of the sandbox. */
  revision: part,
  image: part,
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

export const longestSnoozeMs = 24 * 3_600_000;

/** `GET /api/v1/triage?namespaces=…`: marks of the namespaces whose sandboxes the person may see. */
export const triageReply = z.object({ time: z.number(), store: historyStore, marks: z.array(mark) });
export type TriageReply = z.infer<typeof triageReply>;

/**
 * `PUT /api/v1/triage`: sets a mark on a scope. `version`: of the mark the person saw on exactly this scope, 0 for none;
 * another one meanwhile is refused with `conflict`, and the answer names who and when.
 */
export const setMarkRequest = z.object({
  scope: markScope,
  version: seenVersion,
  kind: z.enum(['ack', 'snooze']),
  /** Snooze only, and at most 24 hours ahead. */
  until: z.number().optional(),
  /** PostgreSQL has no text with the character 0. */
  note: z
    .string()
    .max(2_000)
    .refine((text) => !text.includes('\0'), 'holds the character 0')
    .optional(),
});
export type SetMarkRequest = z.infer<typeof setMarkRequest>;
export const setMarkReply = z.object({ mark });
export type SetMarkReply = z.infer<typeof setMarkReply>;

/** `DELETE /api/v1/triage/{id}?version=…`: takes it back. */
export const removeMarkReply = z.object({ removed: z.boolean() });

/** States that may last too long. All others may last for ever, and Failed needs no clock. */
export const limitedState = z.enum([
  'Creating',
  'NotReady',
  'Pausing',
  'Resuming',
  'Initialising',
  'Upgrading',
  'Recycling',
  'Terminating',
]);
export type LimitedState = z.infer<typeof limitedState>;

/** A month: what may take longer has no limit worth the name. */
export const longestLimitMs = 30 * 24 * 3_600_000;
const limit = z.number().int().min(1_000).max(longestLimitMs);
/** Milliseconds after which a state is amber (`warn`) and red (`breach`). */
export const limitPair = z
  .object({ warn: limit, breach: limit })
  .refine(({ warn, breach }) => warn < breach, { message: 'warn has to come before breach', path: ['breach'] });
export type LimitPair = z.infer<typeof limitPair>;
const stateLimits = z.partialRecord(limitedState, limitPair);

/** Pools with limits of their own, at most. */
export const mostLimitedPools = 500;

/** Limits where they differ from the defaults. */
export const limitSettings = z.object({
  /** Goes up with every change; 0: nobody has changed any. */
  version: z.number().int().min(0),
  states: stateLimits,
  /** By `namespace/name` of the pool; over those of `states`. */
  pools: z
    .record(z.string().regex(/^[^/]+\/[^/]+$/, 'is not namespace/name'), stateLimits)
    .refine((pools) => Object.keys(pools).length <= mostLimitedPools, {
      message: `more than ${mostLimitedPools} pools`,
    }),
  by: z.string().optional(),
  at: z.number().optional(),
});
export type LimitSettings = z.infer<typeof limitSettings>;

/** `GET /api/v1/limits`. */
export const limitsReply = z.object({ time: z.number(), store: historyStore, settings: limitSettings });
export type LimitsReply = z.infer<typeof limitsReply>;
/** `PUT /api/v1/limits`: the whole of them, with the version that the person saw. */
export const setLimitsRequest = limitSettings.omit({ by: true, at: true }).extend({ version: seenVersion });
export type SetLimitsRequest = z.infer<typeof setLimitsRequest>;
