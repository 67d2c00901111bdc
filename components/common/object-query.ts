'use client';

import { useQuery } from '@tanstack/react-query';
import { type ObjectReply, objectReply, type ReadableKind } from '@/lib/contracts/objects';
import { type RequestError, readJson } from '@/lib/read-json';

/** The server's last word: asking again would say the same. */
const isRefusal = ({ problem: { status } }: RequestError) => status >= 400 && status < 500;

/** Events come without a change of the row. */
const eventsEveryMs = 10_000;

/**
 * A whole object with its events and, for a sandbox, its Pod: read again when `version` changes, and every ten
 * seconds for the events. While it is read again, what was known of the same object stays. Nothing is read unless `enabled`.
 */
export function useObject(
  kind: ReadableKind,
  { ns, name }: { ns: string; name: string },
  version: string | undefined,
  enabled = true,
) {
  const path = `/api/v1/objects/${kind}/${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;
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
