import { z } from 'zod';

/** Codes of everything that can go wrong in a service; the HTTP status follows from it. */
export const problemCode = z.enum([
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'precondition_failed',
  'validation',
  'rate_limited',
  'upstream_timeout',
  'upstream_unavailable',
  'webhook_unreachable',
  'stale',
  'internal',
]);
export type ProblemCode = z.infer<typeof problemCode>;

/** Body of every error answer, `application/problem+json`. */
export const problem = z.object({
  code: problemCode,
  status: z.number().int(),
  /** The API server's own sentence when there is one, otherwise ours. */
  message: z.string(),
  /** Fields that were refused, with the path as the person knows it. */
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Right that is missing, when code is forbidden. */
  missing: z
    .object({ verb: z.string(), group: z.string(), resource: z.string(), namespace: z.string().optional() })
    .optional(),
  /** Whether the write may have happened: a time-out does not say. */
  applied: z.enum(['no', 'unknown']).optional(),
  retryAfterSeconds: z.number().optional(),
  requestId: z.string(),
});
export type Problem = z.infer<typeof problem>;
