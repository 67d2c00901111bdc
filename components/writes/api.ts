import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accessReply } from '@/lib/contracts/access';
import type { Problem } from '@/lib/contracts/problem';
import { recentActionsReply } from '@/lib/contracts/writes';
import { RequestError, readJson } from '@/lib/read-json';

export { RequestError as WriteError };

/** What there is to say of an error: the problem it carries, or its own words. */
export const problemOf = (error: Error): Pick<Problem, 'message' | 'reason' | 'values'> =>
  error instanceof RequestError ? error.problem : error;

/** Codes of a request that got no verdict: nothing is known against it. */
const unanswered: readonly string[] = ['upstream_timeout', 'upstream_unavailable', 'rate_limited'];

/** The answer was no, and will be for the same question; a request without an answer was not refused. */
export const isRefusal = (error: unknown): error is RequestError =>
  error instanceof RequestError && !unanswered.includes(error.problem.code);

/** @param harmless nothing is written, so that nothing was, also when the answer was lost */
const sendJson = <T>(schema: z.ZodType<T>, path: string, body: object, harmless: boolean, signal?: AbortSignal) =>
  readJson(schema, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (harmless && error instanceof RequestError) throw new RequestError({ ...error.problem, applied: 'no' });
    throw error;
  });

/** Sends a write, or the question what it would do; `schema` is that of the answer. */
export const post = <T>(schema: z.ZodType<T>, path: string, body: object, signal?: AbortSignal): Promise<T> =>
  sendJson(schema, path, body, 'dryRun' in body && body.dryRun === true, signal);

/** Asks what is too long for an address. */
export const ask = <T>(schema: z.ZodType<T>, path: string, body: object, signal: AbortSignal): Promise<T> =>
  sendJson(schema, path, body, true, signal);

/** What the person may do in a namespace. */
export const accessIn = (namespace: string) =>
  queryOptions({
    queryKey: ['access', namespace],
    queryFn: ({ signal }) =>
      readJson(accessReply, `/api/v1/access?namespace=${encodeURIComponent(namespace)}`, { signal }),
    staleTime: 60_000,
    retry: false,
  });

export const recentActions = () =>
  queryOptions({
    queryKey: ['actions'],
    queryFn: async ({ signal }) => (await readJson(recentActionsReply, '/api/v1/actions', { signal })).actions,
  });
