import 'server-only';
import type { Problem, ProblemCode } from '@/lib/contracts/problem';

/** A problem before the wrapper has put the request's id on it. */
export type Failure = Omit<Problem, 'requestId'>;

/** What services answer: refusals are values, only faults of the program are thrown. */
export type Result<T> = { ok: true; value: T } | { ok: false; problem: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

const statusOf: Record<ProblemCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  validation: 400,
  rate_limited: 429,
  upstream_timeout: 504,
  upstream_unavailable: 503,
  webhook_unreachable: 502,
  stale: 409,
  internal: 500,
};

/** A refusal of our own; of the API server's, `toProblem` in server/kube makes one. */
export function refuse(
  code: ProblemCode,
  message: string,
  more: Partial<Omit<Failure, 'code' | 'message'>> = {},
): { ok: false; problem: Failure } {
  return { ok: false, problem: { code, status: statusOf[code], message, ...more } };
}
