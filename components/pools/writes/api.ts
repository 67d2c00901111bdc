import { queryOptions } from '@tanstack/react-query';
import { accessReply } from '@/lib/contracts/access';
import { objectReply } from '@/lib/contracts/objects';
import type { Problem } from '@/lib/contracts/problem';
import type { PoolRow } from '@/lib/contracts/rows';
import {
  type PatchPoolTemplateRequest,
  type Receipt,
  receipt,
  recentActionsReply,
  type ScalePoolRequest,
} from '@/lib/contracts/writes';
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

type PoolKey = Pick<PoolRow, 'ns' | 'name'>;
const pathOf = ({ ns, name }: PoolKey) => `${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;

const post = (path: string, body: { dryRun: boolean }, signal?: AbortSignal): Promise<Receipt> =>
  readJson(receipt, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    // A dry run writes nothing, also when its answer was lost.
    if (body.dryRun && error instanceof RequestError) throw new RequestError({ ...error.problem, applied: 'no' });
    throw error;
  });

export const sendScale = (pool: PoolKey, request: ScalePoolRequest, signal?: AbortSignal) =>
  post(`/api/v1/pools/${pathOf(pool)}/scale`, request, signal);

export const sendTemplate = (pool: PoolKey, request: PatchPoolTemplateRequest, signal?: AbortSignal) =>
  post(`/api/v1/pools/${pathOf(pool)}/template`, request, signal);

/** The pool's whole object as it is now; read again when the row shows another generation. */
export const poolObject = (pool: PoolKey & Pick<PoolRow, 'uid' | 'gen'>) =>
  queryOptions({
    queryKey: ['objects', 'sandboxsets', pool.ns, pool.name, pool.uid, pool.gen],
    queryFn: ({ signal }) => readJson(objectReply, `/api/v1/objects/sandboxsets/${pathOf(pool)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

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
