import { queryOptions } from '@tanstack/react-query';
import { objectReply } from '@/lib/contracts/objects';
import type { PoolRow } from '@/lib/contracts/rows';
import { type PatchPoolTemplateRequest, receipt, type ScalePoolRequest } from '@/lib/contracts/writes';
import { readJson } from '@/lib/read-json';
import { post } from '../../writes/api';

type PoolKey = Pick<PoolRow, 'ns' | 'name'>;
const pathOf = ({ ns, name }: PoolKey) => `${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;

export const sendScale = (pool: PoolKey, request: ScalePoolRequest, signal?: AbortSignal) =>
  post(receipt, `/api/v1/pools/${pathOf(pool)}/scale`, request, signal);

export const sendTemplate = (pool: PoolKey, request: PatchPoolTemplateRequest, signal?: AbortSignal) =>
  post(receipt, `/api/v1/pools/${pathOf(pool)}/template`, request, signal);

/** The pool's whole object as it is now; read again when the row shows another generation. */
export const poolObject = (pool: PoolKey & Pick<PoolRow, 'uid' | 'gen'>) =>
  queryOptions({
    queryKey: ['objects', 'sandboxsets', pool.ns, pool.name, pool.uid, pool.gen],
    queryFn: ({ signal }) => readJson(objectReply, `/api/v1/objects/sandboxsets/${pathOf(pool)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
