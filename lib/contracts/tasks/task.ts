import { z } from 'zod';
import { afterwards } from './request';

const text = z.string();
const time = z.number();
const count = z.number().int();

/**
 * `succeeded` and `failed` are the exit code's word; `error`: the platform or a limit ended it, see `problem`; `unknown`: the
 * code may have run to its end, and nobody saw how.
 */
export const taskStates = [
  'queued',
  'running',
  'cancelling',
  'succeeded',
  'failed',
  'cancelled',
  'error',
  'unknown',
] as const;
export const taskState = z.enum(taskStates);
export type TaskState = z.infer<typeof taskState>;
export const activeStates: ReadonlySet<TaskState> = new Set(['queued', 'running', 'cancelling']);

export const stepNames = ['claim', 'write', 'run', 'collect', 'release'] as const;
export const stepName = z.enum(stepNames);
export type StepName = z.infer<typeof stepName>;

/** `skipped`: something before it had failed, or there was nothing to do (a kept sandbox is not released). */
export const taskStep = z.object({
  name: stepName,
  state: z.enum(['todo', 'running', 'done', 'failed', 'skipped']),
  startedAt: time.optional(),
  endedAt: time.optional(),
  /** Nobody listened at its end, which was earlier, or is: what lies between the two times is the most that it took. */
  atMost: z.literal(true).optional(),
});
export type TaskStep = z.infer<typeof taskStep>;

/** Why a task did not come to an exit code of its own, or was not given back. The sentences are the messages `tasks.problem`. */
export const taskProblemCodes = [
  /** No sandbox was available and none was to be created, or none came in time. */
  'noStock',
  'templateUnknown',
  'keyRefused',
  'quota',
  'rateLimited',
  'managerAway',
  'managerRefused',
  /** It answered with an error of its own or of what is behind it, as the API server. */
  'managerError',
  'gatewayAway',
  'sandboxGone',
  'processKilled',
  'outOfMemory',
  'timeLimit',
  'outputTooLarge',
  /** The connection was lost while the code ran, and how it ended could not be found out. */
  'resultUnknown',
  'writeRefused',
  'oddAnswer',
] as const;
export const taskProblemCode = z.enum(taskProblemCodes);
export type TaskProblemCode = z.infer<typeof taskProblemCode>;

export const taskProblem = z.object({
  code: taskProblemCode,
  /** The server's own words, without what is secret. */
  detail: text.optional(),
  status: count.optional(),
  retryAfterSeconds: z.number().optional(),
  /** Nothing was heard of the sandbox from then on. */
  since: time.optional(),
});
export type TaskProblem = z.infer<typeof taskProblem>;

/** What went otherwise than hoped and did not end the task. The sentences are the messages `tasks.note`. */
export const taskNote = z.object({
  code: z.enum([
    /** The connection was lost while it ran: until it is found again, how it goes on is not known. */
    'connectionLost',
    /** It was found again: what was printed in between may be missing. */
    'reconnected',
    /** The console was restarted while it ran: what was printed meanwhile may be missing. */
    'adopted',
    /** Results could not be fetched. */
    'resultsLost',
    /** It could not be given back yet; the console goes on trying, and it ends by itself at `deadline`. */
    'notReleased',
    /** It could not be given back at first; nothing of the task is claimed any more. In the place of `notReleased`. */
    'settled',
    /** It could not be kept as asked and was given back, or ends by itself. */
    'notKept',
    'redacted',
  ]),
  at: time,
  detail: text.optional(),
});
export type TaskNote = z.infer<typeof taskNote>;

/** The same sandbox in the cluster, and the proof of where it came from. */
export const taskSandbox = z.object({
  /** As the E2B API names it. */
  id: text,
  ns: text.optional(),
  name: text.optional(),
  uid: text.optional(),
  /**
   * `warm`: it was a member of the pool before the claim was sent; `cold`: it was created for the claim; `unknown`: the watch has
   * not shown which.
   */
  origin: z.enum(['warm', 'cold', 'unknown']),
  /** metadata.creationTimestamp, epoch ms of the cluster's clock. */
  created: time.optional(),
  /** When the watch showed that it is no longer a member of the pool. */
  leftPoolAt: time.optional(),
  /** The member that came in its place: the first one of the pool that was created after the claim. */
  refill: z.object({ name: text, uid: text, at: time }).optional(),
  /** Its end as the manager says it (epoch ms): it is gone then whatever happens. Absent: no limit, or not said. */
  endAt: time.optional(),
  /** When it was given back. Absent with an ended task: it is kept, not released, or gone. */
  releasedAt: time.optional(),
  /** When it was found to be gone: deleted by somebody else, or ended by itself. */
  goneAt: time.optional(),
});
export type TaskSandbox = z.infer<typeof taskSandbox>;

/** A file that the code wrote. Without `stored` it is too large or too many, and was left in the sandbox. */
export const taskResult = z.object({ path: text, bytes: count, stored: z.literal(true).optional() });
export type TaskResult = z.infer<typeof taskResult>;

/** What a list shows of a task. */
export const taskSummary = z.object({
  id: text,
  state: taskState,
  pool: z.object({ ns: text, name: text }),
  /** First line of the code that says something. */
  title: text,
  createdAt: time,
  endedAt: time.optional(),
  exitCode: count.optional(),
  problem: taskProblem.optional(),
  origin: z.enum(['warm', 'cold', 'unknown']).optional(),
  /** Of the steps that have ended, ms. */
  durations: z.partialRecord(stepName, z.number()),
  /** That of the run is the most that it took: nobody listened at its end. */
  runAtMost: z.literal(true).optional(),
  /** It could not be given back: the console goes on trying. */
  unreleased: z.literal(true).optional(),
  /** Kept until (epoch ms): it can be given back. */
  keptUntil: time.optional(),
});
export type TaskSummary = z.infer<typeof taskSummary>;

/** A task whole, but for what it printed. Files that were uploaded are named only; values of variables are not sent back. */
export const task = taskSummary.extend({
  /** Grows with every change; a message that is not newer says nothing new. */
  version: count,
  /** Time of the answer. */
  time,
  request: z.object({
    code: text,
    files: z.array(z.object({ name: text, bytes: count })),
    env: z.array(text),
    timeLimitSeconds: count,
    afterwards,
    onNoStock: z.enum(['create', 'fail']),
  }),
  /** In order; the wait in the queue is from `createdAt` to the start of the first. */
  steps: z.array(taskStep),
  /** Tasks that come before it, while it is queued. */
  ahead: count.optional(),
  sandbox: taskSandbox.optional(),
  /** The sandbox that is being made for it while the claim waits, as the watch shows it. */
  pending: z.object({ ns: text, name: text }).optional(),
  results: z.array(taskResult),
  notes: z.array(taskNote),
  output: z.object({ chunks: count, outBytes: count, errBytes: count }),
});
export type Task = z.infer<typeof task>;
