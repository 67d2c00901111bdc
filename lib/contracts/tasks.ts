import { z } from 'zod';
import { namespaceName, objectName } from './names';

/**
 * A task is a piece of Python that the console runs in a sandbox it claims through the E2B-compatible API and gives back. Times
 * are epoch ms of the console's server, durations ms. What one person runs is never in another's answer.
 */

const text = z.string();
const time = z.number();
const count = z.number().int();

/** What is taken and kept at most. */
export const taskLimits = {
  codeBytes: 256 * 1024,
  files: 10,
  /** Of all uploaded files together. */
  fileBytes: 5 * 1024 * 1024,
  variables: 50,
  variableBytes: 32 * 1024,
  seconds: 3_600,
  keepMinutes: 24 * 60,
  /** Of both streams together: a command that prints more is stopped. */
  outputBytes: 16 * 1024 * 1024,
  /** Results that are fetched: so many, each so large. Others are named only. */
  results: 20,
  resultBytes: 5 * 1024 * 1024,
} as const;

/** One part of a path: no folders, nothing hidden, nothing that a shell or a header would read otherwise. */
const fileName = z
  .string()
  .max(128)
  .regex(/^[\p{L}\p{N}_-][\p{L}\p{N}_. -]*$/u, { error: 'Give a file name without folders.' })
  .refine((name) => name !== 'task.py', { error: 'task.py is the code itself.' });

const variableName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'Give a name of letters, digits and _.' });

const utf8Bytes = (value: string) => new TextEncoder().encode(value).length;
/** Bytes that base64 stands for. */
const decodedBytes = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

export const taskFiles = z
  .array(z.object({ name: fileName, base64: z.base64() }))
  .max(taskLimits.files)
  .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, {
    error: 'Two files have the same name.',
  })
  .refine((files) => files.reduce((sum, { base64 }) => sum + decodedBytes(base64), 0) <= taskLimits.fileBytes, {
    error: `More than ${taskLimits.fileBytes} bytes together.`,
  });

/** What happens to the sandbox afterwards. `keepOnFailure` gives it back after a task that went well. */
export const afterwards = z.discriminatedUnion('do', [
  z.object({ do: z.literal('release') }),
  z.object({ do: z.literal('keep'), minutes: count.min(1).max(taskLimits.keepMinutes) }),
  z.object({ do: z.literal('keepOnFailure'), minutes: count.min(1).max(taskLimits.keepMinutes) }),
]);
export type Afterwards = z.infer<typeof afterwards>;

/** `POST /api/v1/tasks`. */
export const taskRequest = z.object({
  /** The SandboxSet to claim from; its name is the template of the E2B API. */
  pool: z.object({ ns: namespaceName, name: objectName }),
  code: z
    .string()
    .refine((code) => code.trim() !== '', { error: 'Write some Python first.' })
    .refine((code) => utf8Bytes(code) <= taskLimits.codeBytes, { error: `More than ${taskLimits.codeBytes} bytes.` }),
  files: taskFiles.default([]),
  env: z
    .record(variableName, z.string())
    .refine((env) => Object.keys(env).length <= taskLimits.variables, {
      error: `More than ${taskLimits.variables} variables.`,
    })
    .refine((env) => utf8Bytes(JSON.stringify(env)) <= taskLimits.variableBytes, {
      error: `More than ${taskLimits.variableBytes} bytes together.`,
    })
    .default({}),
  /** Of the command; the claim and the files have their own. */
  timeLimitSeconds: count.min(1).max(taskLimits.seconds),
  afterwards: afterwards.default({ do: 'release' }),
  /** Files of an earlier task of the same person, by name: they need not be sent again. */
  reuse: z.object({ task: z.string().max(64), files: z.array(fileName).max(taskLimits.files) }).optional(),
  /** Metadata `create-on-no-stock`: with `fail`, an empty pool is an error and not a cold start. */
  onNoStock: z.enum(['create', 'fail']).default('create'),
});
export type TaskRequest = z.infer<typeof taskRequest>;
/** Before the defaults. */
export type TaskDraft = z.input<typeof taskRequest>;

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
  'gatewayAway',
  'sandboxGone',
  'processKilled',
  'outOfMemory',
  'timeLimit',
  'outputTooLarge',
  /** The connection was lost while the code ran, and how it ended could not be found out. */
  'resultUnknown',
  'writeRefused',
  'consoleRestarted',
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
});
export type TaskProblem = z.infer<typeof taskProblem>;

/** What went otherwise than hoped and did not end the task. The sentences are the messages `tasks.note`. */
export const taskNote = z.object({
  code: z.enum([
    /** The connection was lost while it ran: how it goes on is not known until it is found again. */
    'connectionLost',
    /** It was found again: what was printed in between may be missing. */
    'reconnected',
    /** The console was restarted while it ran. */
    'adopted',
    /** Results could not be fetched. */
    'resultsLost',
    'outputNotStored',
    /** It could not be given back yet; the console goes on trying, and it ends by itself at `deadline`. */
    'notReleased',
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
  /** When it was given back. Absent with an ended task: it is kept, or not released. */
  releasedAt: time.optional(),
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
  results: z.array(taskResult),
  notes: z.array(taskNote),
  output: z.object({ chunks: count, outBytes: count, errBytes: count }),
});
export type Task = z.infer<typeof task>;

/** Printed text: whole characters, in the order of arrival; order between the two streams is not kept by the runtime. */
export const outputChunk = z.object({
  /** From 0, without gaps. */
  seq: count,
  /** ms since the run began. */
  at: z.number(),
  stream: z.enum(['out', 'err']),
  text,
});
export type OutputChunk = z.infer<typeof outputChunk>;

/**
 * `GET /api/v1/tasks/{id}/stream?after=SEQ`: server-sent events named after their `type`. First the task, then what was printed
 * after SEQ, then both as they come; `ended` is the last one. The page keeps the last 256 KiB it was sent of a long output, so
 * the server leaves out what lies before that: `skipped` says how many bytes.
 */
export const taskMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('task'), task }),
  z.object({ type: z.literal('output'), chunks: z.array(outputChunk), skipped: count.optional() }),
  z.object({ type: z.literal('ended') }),
]);
export type TaskMessage = z.infer<typeof taskMessage>;
/** Of what was printed, so much is sent to a page that opens a task. */
export const outputTailBytes = 256 * 1024;

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
  before: z.coerce.number().int().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type TasksQuery = z.infer<typeof tasksQuery>;

export const tasksReply = z.object({ time, runner, tasks: z.array(taskSummary), next: count.optional() });
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
