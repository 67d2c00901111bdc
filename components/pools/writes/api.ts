import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accessReply } from '@/lib/contracts/access';
import { objectReply } from '@/lib/contracts/objects';
import { type Problem, problem } from '@/lib/contracts/problem';
import type { PoolRow } from '@/lib/contracts/rows';
import {
  type PatchPoolTemplateRequest,
  type Receipt,
  receipt,
  recentActionsReply,
  type ScalePoolRequest,
} from '@/lib/contracts/writes';

/** A request that was refused, or had no answer; carries the server's own problem where there is one. */
export class WriteError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
    this.name = 'WriteError';
  }
}

async function call<T>(schema: z.ZodType<T>, path: string, init: RequestInit): Promise<T> {
  const writes = init.method === 'POST';
  const lost = (message: string, status = 0) =>
    new WriteError({
      code: 'upstream_unavailable',
      status,
      message,
      requestId: '',
      ...(writes ? { applied: 'unknown' as const } : {}),
    });
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, { cache: 'no-store', ...init });
    body = await response.json();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw lost(error instanceof Error ? error.message : String(error));
  }
  if (!response.ok) {
    const told = problem.safeParse(body);
    throw told.success ? new WriteError(told.data) : lost(`${path} answered ${response.status}`, response.status);
  }
  return schema.parse(body);
}

type PoolKey = Pick<PoolRow, 'ns' | 'name'>;
const pathOf = ({ ns, name }: PoolKey) => `${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;

const post = (path: string, body: { dryRun: boolean }, signal?: AbortSignal): Promise<Receipt> =>
  call(receipt, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    // A dry run writes nothing, also when its answer was lost.
    if (body.dryRun && error instanceof WriteError) throw new WriteError({ ...error.problem, applied: 'no' });
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
    queryFn: ({ signal }) => call(objectReply, `/api/v1/objects/sandboxsets/${pathOf(pool)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** What the person may do in a namespace. */
export const accessIn = (namespace: string) =>
  queryOptions({
    queryKey: ['access', namespace],
    queryFn: ({ signal }) => call(accessReply, `/api/v1/access?namespace=${encodeURIComponent(namespace)}`, { signal }),
    staleTime: 60_000,
    retry: false,
  });

export const recentActions = () =>
  queryOptions({
    queryKey: ['actions'],
    queryFn: async ({ signal }) => (await call(recentActionsReply, '/api/v1/actions', { signal })).actions,
  });
