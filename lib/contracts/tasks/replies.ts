import { z } from 'zod';
import { task, taskStates, taskSummary } from './task';

const text = z.string();
const time = z.number();
const count = z.number().int();

/** The runner of this console. `off`: variables that are missing; nothing else of the console depends on them. */
export const runner = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off'), missing: z.array(text) }),
  z.object({
    state: z.literal('ready'),
    /** Where tasks go, without credentials. */
    manager: text,
    running: count,
    /** At once, of everybody and of one person. */
    limit: count,
    perPerson: count,
    queued: count,
    /** The person's own that run or wait. */
    mine: count,
  }),
]);
export type Runner = z.infer<typeof runner>;

/** Query of `GET /api/v1/tasks`: newest first, of the person who asks. `before` is the `next` of the answer before. */
export const tasksQuery = z.object({
  state: z.enum(['active', ...taskStates]).optional(),
  pool: text.max(320).optional(),
  origin: z.enum(['warm', 'cold']).optional(),
  q: text.max(200).optional(),
  before: text.regex(/^\d{1,16}\.task-[\w-]{1,64}$/).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type TasksQuery = z.infer<typeof tasksQuery>;

export const tasksReply = z.object({ time, runner, tasks: z.array(taskSummary), next: text.optional() });
export type TasksReply = z.infer<typeof tasksReply>;

/** `POST /api/v1/tasks`, `POST /api/v1/tasks/{id}/cancel` and `POST /api/v1/tasks/{id}/release`. */
export const taskReply = z.object({ task });
export type TaskReply = z.infer<typeof taskReply>;

/** Time of claims that came to a sandbox, of one pool and one way; of all people, no more than the last 500. */
export const claimTimes = z.object({
  pool: z.object({ ns: text, name: text }),
  origin: z.enum(['warm', 'cold']),
  n: count,
  min: z.number(),
  p50: z.number(),
  p95: z.number(),
  max: z.number(),
  /** The last 60, newest first. */
  last: z.array(z.number()),
});
export type ClaimTimes = z.infer<typeof claimTimes>;

/** `GET /api/v1/tasks/claims`: of pools that the person may see. */
export const claimsReply = z.object({ time, claims: z.array(claimTimes) });
export type ClaimsReply = z.infer<typeof claimsReply>;
