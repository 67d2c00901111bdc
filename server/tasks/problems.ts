import 'server-only';
import {
  AuthenticationError,
  CommandExitError,
  InvalidArgumentError,
  NotEnoughSpaceError,
  RateLimitError,
  SandboxError,
  SandboxNotFoundError,
  TimeoutError,
} from 'e2b';
import type { OutputChunk, StepName, TaskProblem, TaskProblemCode } from '@/lib/contracts/tasks';
import { redactText } from '@/lib/domain/redact';

/** A task ends here, for a reason that is told. */
export class TaskStop extends Error {
  override readonly name = 'TaskStop';
  readonly problem: TaskProblem;

  constructor(code: TaskProblemCode, more: Omit<TaskProblem, 'code'> = {}) {
    super(code);
    this.problem = { code, ...more };
  }
}

const longestDetail = 600;

/** What the client adds to the words of whoever refused, for who programs with it. */
const advice = /: This error is likely due to [^\n]*/g;

/** Causes of a failed fetch, as Node names them. */
const unreachable =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|UND_ERR|fetch failed|other side closed|EPIPE/;

function causesOf(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause) {
    parts.push('code' in each ? `${each.code} ${each.message}` : each.message);
  }
  return parts.join(': ');
}

/** The connection broke or never came to be: nothing is known of what the other side did. */
export function isLost(error: unknown): boolean {
  if (error instanceof CommandExitError || error instanceof AuthenticationError) return false;
  const status = statusOf(error);
  // The words of an answer are of whoever gave it: they may tell of another connection.
  if (status !== undefined) return status === 502 || status === 503 || status === 504;
  return unreachable.test(causesOf(error)) || isCut(error);
}

/** A stream that ended without its end frame, or did not begin, as the client words it. */
const isCut = (error: unknown) =>
  error instanceof SandboxError &&
  /terminated|premature|missing EndStream|protocol error|unavailable|aborted|probably not running/i.test(error.message);

function statusOf(error: unknown): number | undefined {
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  if (!(error instanceof Error)) return undefined;
  const named = /^(\d{3}): |^\[\w+\] HTTP (\d{3})/.exec(error.message);
  if (named) return Number(named[1] ?? named[2]);
  // Of the answer 502 the client keeps the words alone, and adds this.
  return /^(?!\[).*: This error is likely due to sandbox timeout/s.test(error.message) ? 502 : undefined;
}

/** 128 + 9 of a shell and -1 of the runtime: the process was killed from outside. */
const killedCodes = new Set([137, -1]);

/** What an exit code says besides itself. @param printed the end of what was printed */
export function problemOfExit(exitCode: number, printed: readonly OutputChunk[] = []): { problem?: TaskProblem } {
  if (killedCodes.has(exitCode)) return { problem: { code: 'processKilled' } };
  const last = printed
    .map(({ stream, text }) => (stream === 'err' ? text : ''))
    .join('')
    .slice(-4_000);
  return exitCode !== 0 && /^MemoryError\b/m.test(last) ? { problem: { code: 'outOfMemory' } } : {};
}

/** What an error of the client means for the task, by the step that it came in (recordings of the E2B API, "Errors"). */
export function problemOf(error: unknown, step: StepName, secrets: readonly string[] = []): TaskProblem {
  if (error instanceof TaskStop) return error.problem;
  const detail = wordsOf(error, secrets);
  const status = statusOf(error);
  const told = { detail, ...(status === undefined ? {} : { status }) };
  if (step === 'claim' || step === 'release') return managerProblem(error, told);
  if (error instanceof NotEnoughSpaceError) return { code: 'writeRefused', ...told };
  if (
    error instanceof SandboxNotFoundError ||
    /sandbox was killed|healthy sandbox .* not found|Sandbox route not found/i.test(detail)
  ) {
    return { code: 'sandboxGone', ...told };
  }
  if (error instanceof RateLimitError) return { code: 'rateLimited', ...told };
  if (isLost(error) || error instanceof TimeoutError) return { code: 'gatewayAway', ...told };
  if (step === 'write') return { code: 'writeRefused', ...told };
  return { code: 'oddAnswer', ...told };
}

const refusals: ReadonlySet<TaskProblemCode> = new Set([
  'keyRefused',
  'rateLimited',
  'quota',
  'noStock',
  'templateUnknown',
  'managerRefused',
]);

/** The manager has said no to a claim: it has not claimed anything for it. */
export const isRefusal = (error: unknown): boolean => refusals.has(problemOf(error, 'claim').code);

function managerProblem(error: unknown, told: { detail: string; status?: number }): TaskProblem {
  const { detail, status } = told;
  if (error instanceof AuthenticationError || status === 401) return { code: 'keyRefused', ...told };
  if (error instanceof RateLimitError || status === 429) return { code: 'rateLimited', ...told };
  if (status === 403 || /quota/i.test(detail)) return { code: 'quota', ...told };
  if (/no stock|no available sandboxes/i.test(detail)) return { code: 'noStock', ...told };
  if (/Template or Checkpoint not found/i.test(detail)) return { code: 'templateUnknown', ...told };
  if (error instanceof InvalidArgumentError || status === 400) return { code: 'managerRefused', ...told };
  if (isLost(error) || error instanceof TimeoutError || isTimeout(error)) return { code: 'managerAway', ...told };
  if (status !== undefined) return { code: status >= 500 ? 'managerError' : 'managerRefused', ...told };
  return { code: 'oddAnswer', ...told };
}

const isTimeout = (error: unknown) => error instanceof Error && /TimeoutError|AbortError/.test(error.name);

/** In the words of whoever refused, without what is secret. */
function wordsOf(error: unknown, secrets: readonly string[]): string {
  let words = redactText((causesOf(error) || String(error)).replace(advice, ''));
  for (const secret of secrets) words = words.replaceAll(secret, '•••');
  return words.length > longestDetail ? `${words.slice(0, longestDetail - 1)}…` : words;
}
