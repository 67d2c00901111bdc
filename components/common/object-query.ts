'use client';

import { useQuery } from '@tanstack/react-query';
import { type ObjectReply, objectReply, type ReadableKind } from '@/lib/contracts/objects';
import { type RequestError, readJson } from '@/lib/read-json';

const pathOf = (kind: ReadableKind, { ns, name }: Named) =>
  `/api/v1/objects/${kind}/${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;

type Named = { ns: string; name: string };

/** The server's last word: asking again would say the same. */
const isRefusal = ({ problem: { status } }: RequestError) => status >= 400 && status < 500;

/** Events come without a change of the row. */
const eventsEveryMs = 10_000;

/**
 * A whole object with its events and, for a sandbox, its Pod: read again when `version` changes, and every ten
 * seconds for the events. While it is read again, what was known of the same object stays. Nothing is read unless `enabled`.
 */
export function useObject(kind: ReadableKind, { ns, name }: Named, version: string | undefined, enabled = true) {
  const path = pathOf(kind, { ns, name });
  return useQuery<ObjectReply, RequestError>({
    enabled,
    queryKey: ['objects', kind, ns, name, version ?? 'unseen'],
    queryFn: ({ signal }) => readJson(objectReply, path, { signal }),
    placeholderData: (previous, query) =>
      query?.queryKey[2] === ns && query.queryKey[3] === name ? previous : undefined,
    refetchInterval: (query) => (query.state.status === 'error' ? false : eventsEveryMs),
    retry: (count, error) => count < 2 && !isRefusal(error),
    gcTime: 60_000,
  });
}

/** A whole object that need not exist and does not change: `data` is null where there is none. */
export function useObjectIfAny(kind: ReadableKind, named: Named) {
  return useQuery<ObjectReply | null, RequestError>({
    queryKey: ['objects', kind, named.ns, named.name, 'ifAny'],
    queryFn: ({ signal }) => readJson(objectReply.nullable(), `${pathOf(kind, named)}?ifAny=true`, { signal }),
    retry: (count, error) => count < 2 && !isRefusal(error),
    gcTime: 60_000,
  });
}
