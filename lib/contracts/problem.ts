import { z } from 'zod';
import { mark } from './triage';

/**
 * Codes of everything that can go wrong in a service; the HTTP status follows from it. A request that the console
 * cannot read is `malformed` (400; 413 and 415 where HTTP has its own word for why); one that it can read and that the
 * rules refuse, its own or the API server's, is `validation` (422).
 */
export const problemCode = z.enum([
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'precondition_failed',
  'malformed',
  'validation',
  'rate_limited',
  'upstream_timeout',
  'upstream_unavailable',
  'webhook_unreachable',
  'stale',
  /** The console's own database cannot be used: what needs it waits, what is live goes on. */
  'history_unavailable',
  'internal',
]);
export type ProblemCode = z.infer<typeof problemCode>;

export const statusOf: Record<ProblemCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  malformed: 400,
  validation: 422,
  rate_limited: 429,
  upstream_timeout: 504,
  upstream_unavailable: 503,
  webhook_unreachable: 502,
  stale: 409,
  history_unavailable: 503,
  internal: 500,
};

/**
 * Why the console itself refused, and the values that the sentence of each reason names. The sentences are the messages
 * `common.refusal`, in both languages. A value that may be unknown is `none` then.
 */
export const refusalValues = {
  wrongHost: ['host'],
  foreignPage: [],
  tooManyWrites: [],
  fault: [],
  invalidRequest: [],
  bodyType: [],
  bodyTooLarge: ['bytes'],
  bodyNotJson: [],
  nothingListable: ['person'],
  mayNot: ['person', 'verb', 'resource', 'namespace', 'why'],
  accessUnchecked: ['namespace'],
  claimUnchecked: ['namespace'],
  unheard: ['kind', 'since', 'why'],
  objectReplaced: ['kind', 'name', 'uid', 'at'],
  objectDeleting: ['kind', 'name', 'since'],
  poolReplacedMeanwhile: ['pool', 'uid', 'replicas'],
  replicasChanged: ['pool', 'now', 'seen', 'manager', 'at'],
  replicasChangedHere: ['pool', 'now', 'seen', 'actor'],
  otherReplicas: ['answered', 'asked'],
  templateReferenced: ['pool', 'template'],
  noTemplate: ['pool'],
  templateChanged: ['pool', 'fields', 'manager', 'at'],
  noSuchContainer: ['container', 'list'],
  maskedValue: ['field'],
  nothingMatches: ['selector', 'namespace'],
  targetsChanged: ['added', 'missing', 'names'],
  planStops: ['why', 'names'],
  settingChanged: ['upgrade', 'field', 'now', 'seen', 'manager', 'at'],
  upgradeOver: ['upgrade', 'phase'],
  historyAway: ['why'],
  historyUnknown: ['upgrade'],
  markChanged: ['by', 'at', 'said'],
  snoozeEnd: ['hours'],
  limitsChanged: ['by', 'at'],
  notRestorable: ['upgrade'],
  worksForUpgrade: ['sandbox', 'upgrade'],
  notNow: ['sandbox', 'why', 'of'],
  sandboxMoved: ['sandbox', 'field', 'now', 'seen', 'manager', 'at'],
  podReplaced: ['sandbox', 'now', 'seen'],
  deadlinePassed: ['field', 'at'],
  noDeadline: ['sandbox', 'field'],
  apiServerSlow: [],
  apiServerWordless: ['status'],
  oddAnswer: ['path', 'status'],
  tasksOff: ['missing'],
  tooManyTasks: ['most'],
  taskUnknown: ['task'],
  taskOver: ['task'],
  notGivenBack: ['sandbox', 'why'],
  noSuchFile: ['file'],
  noPractice: [],
  practiceAway: ['why'],
  practiceRefused: ['why'],
} as const satisfies Record<string, readonly string[]>;
export type RefusalReason = keyof typeof refusalValues;
export type RefusalValues<R extends RefusalReason> = Record<(typeof refusalValues)[R][number], string | number>;

/** A reason of a newer console counts as none: then its message is what is shown. */
const refusalReason = z
  .enum(Object.keys(refusalValues) as RefusalReason[])
  .optional()
  .catch(undefined);

/** What makes a sentence in the reader's language of a refusal that is the console's own. */
export const refusal = {
  reason: refusalReason,
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
};

/** What the console itself says of a field: the messages `common.refusedField`. */
export const fieldReason = z.enum(['invalid', 'notInTemplate', 'maskedValue', 'removed']);

/** Body of every error answer, `application/problem+json`. */
export const problem = z.object({
  code: problemCode,
  status: z.number().int(),
  /** The API server's own sentence when there is one, otherwise ours, in English: for scripts and logs. */
  message: z.string(),
  /** Only when the sentence is the console's own. */
  ...refusal,
  /** Fields that were refused, with the path as the person knows it; a `reason` where the words are the console's own. */
  fields: z
    .array(z.object({ field: z.string(), message: z.string(), reason: fieldReason.optional().catch(undefined) }))
    .optional(),
  /** Right that is missing, when code is forbidden. */
  missing: z
    .object({ verb: z.string(), group: z.string(), resource: z.string(), namespace: z.string().optional() })
    .optional(),
  /** Whether the write may have happened: a time-out does not say. */
  applied: z.enum(['no', 'unknown']).optional(),
  retryAfterSeconds: z.number().optional(),
  /** What somebody else has said meanwhile of the same, when that is why. */
  mark: mark.optional().catch(undefined),
  requestId: z.string(),
});
export type Problem = z.infer<typeof problem>;
