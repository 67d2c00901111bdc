import type { z } from 'zod';
import { type Problem, problem } from './contracts/problem';

/** A request that was refused, or had no answer that can be read; carries the server's own problem where it sent one. */
export class RequestError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
    this.name = 'RequestError';
  }
}

/**
 * What the console's server answers, checked. A request that its caller gave up rejects as `fetch` does.
 * @throws {RequestError}
 */
export async function readJson<T>(
  schema: z.ZodType<T>,
  url: string,
  init: RequestInit = {},
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<T> {
  const lost = (message: string, status: number, own: Pick<Problem, 'reason' | 'values'> = {}) =>
    new RequestError({
      code: 'upstream_unavailable',
      status,
      message,
      ...own,
      requestId: '',
      // Whether a write happened is what the answer would have said.
      ...(init.method === 'POST' ? { applied: 'unknown' as const } : {}),
    });
  let response: Response;
  let body: unknown;
  try {
    response = await send(url, { cache: 'no-store', ...init });
    body = await response.json();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw lost(error instanceof Error ? error.message : String(error), 0);
  }
  const { ok, status } = response;
  if (!ok) {
    const told = problem.safeParse(body);
    if (told.success) throw new RequestError(told.data);
    throw lost(`${url} answered ${status}`, status, { reason: 'oddAnswer', values: { path: url, status } });
  }
  const read = schema.safeParse(body);
  if (!read.success) throw lost(`unexpected answer: ${read.error.issues[0]?.message}`, status);
  return read.data;
}
