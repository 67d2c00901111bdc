import 'server-only';
import { z } from 'zod';
import {
  afterwards,
  stepNames,
  type Task,
  type TaskSummary,
  taskNote,
  taskProblem,
  taskResult,
  taskSandbox,
  taskState,
  taskStep,
} from '@/lib/contracts/tasks';

const text = z.string();
const time = z.number();
const count = z.number().int();

/** A task as it is kept: everything that is told of it, and what another process needs to go on with it. */
export const taskRecord = z.object({
  id: text,
  person: text,
  version: count,
  state: taskState,
  pool: z.object({ ns: text, name: text }),
  title: text,
  createdAt: time,
  endedAt: time.optional(),
  /** Somebody wants it to end: told apart from `state`, which another process has to start from. */
  cancelled: z.literal(true).optional(),
  request: z.object({
    code: text,
    files: z.array(z.object({ name: text, bytes: count })),
    env: z.array(text),
    timeLimitSeconds: count,
    afterwards,
    onNoStock: z.enum(['create', 'fail']),
  }),
  steps: z.array(taskStep),
  sandbox: taskSandbox.optional(),
  /** Process id in the sandbox, once it runs. */
  pid: count.optional(),
  exitCode: count.optional(),
  problem: taskProblem.optional(),
  keptUntil: time.optional(),
  pending: z.object({ ns: text, name: text }).optional(),
  results: z.array(taskResult),
  notes: z.array(taskNote),
  output: z.object({ chunks: count, outBytes: count, errBytes: count }),
});
export type TaskRecord = z.infer<typeof taskRecord>;

const longestTitle = 80;

/**
 * What the code says of itself in its first line, if that is a comment; else its first line that is neither empty nor a comment
 * nor an import; the first line when all are.
 */
export function titleOf(code: string): string {
  const lines = code.split('\n').map((line) => line.trim());
  const comment = /^#(?!!)\s*(\p{L}.*)$/u.exec(lines.find((each) => each !== '') ?? '')?.[1];
  const says = (line: string) => line !== '' && !/^(#|import\b|from\b|"""|''')/.test(line);
  const line = comment ?? lines.find(says) ?? lines.find((each) => each !== '') ?? '';
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

export const freshSteps = () => stepNames.map((name) => ({ name, state: 'todo' as const }));

/** Its sandbox is being given back, or it has ended: nothing is left to cancel. */
export const isPastCancel = ({ endedAt, steps }: Pick<TaskRecord, 'endedAt' | 'steps'>): boolean =>
  endedAt !== undefined || steps.some(({ name, state }) => name === 'release' && state !== 'todo');

/** It could not be given back, or whether there is one could not be asked: the console goes on trying. */
export const isUnreleased = ({ steps }: Pick<TaskRecord, 'steps'>): boolean =>
  steps.some(({ name, state }) => name === 'release' && state === 'failed');

/**
 * What has changed of such a one when nothing of it is claimed any more.
 * @param isGivenBack by this console; else it was gone already, or there was none
 */
export function settled({ steps, notes, sandbox }: TaskRecord, isGivenBack: boolean, now: number): Partial<TaskRecord> {
  const how = isGivenBack
    ? { state: 'done' as const, endedAt: now }
    : { state: 'skipped' as const, startedAt: undefined, endedAt: undefined };
  return {
    steps: steps.map((step) => (step.name === 'release' ? { ...step, ...how } : step)),
    notes: notes.map((note) => (note.code === 'notReleased' ? { ...note, code: 'settled' as const, at: now } : note)),
    ...(sandbox ? { sandbox: { ...sandbox, [isGivenBack ? 'releasedAt' : 'goneAt']: now } } : {}),
  };
}

export function summaryOf(record: TaskRecord): TaskSummary {
  const { id, state, pool, title, createdAt, endedAt, exitCode, problem, sandbox, keptUntil, steps } = record;
  const durations: TaskSummary['durations'] = {};
  for (const { name, startedAt, endedAt: end } of steps) {
    if (startedAt !== undefined && end !== undefined) durations[name] = end - startedAt;
  }
  const isAtMost = steps.some(({ name, atMost }) => name === 'run' && atMost);
  return {
    id,
    state,
    pool,
    title,
    createdAt,
    durations,
    ...(isAtMost ? { runAtMost: true as const } : {}),
    ...(isUnreleased(record) ? { unreleased: true as const } : {}),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(problem === undefined ? {} : { problem }),
    ...(sandbox === undefined ? {} : { origin: sandbox.origin }),
    ...(keptUntil === undefined ? {} : { keptUntil }),
  };
}

/** @param ahead tasks before it in the queue */
export function taskOf(record: TaskRecord, now: number, ahead?: number): Task {
  const { version, request, steps, sandbox, pending, results, notes, output } = record;
  return {
    ...summaryOf(record),
    version,
    time: now,
    request,
    steps,
    results,
    notes,
    output,
    ...(ahead === undefined ? {} : { ahead }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(pending === undefined ? {} : { pending }),
  };
}
