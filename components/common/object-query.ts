'use client';

import { useQuery } from '@tanstack/react-query';
import { type ObjectReply, objectReply, type ReadableKind } from '@/lib/contracts/objects';
import { type Problem, problem } from '@/lib/contracts/problem';

/** Why an object could not be read, in the API server's own words where it sent some. */
export class ObjectError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** @throws {ObjectError} */
async function readObject(path: string, signal: AbortSignal): Promise<ObjectReply> {
  const reply = await fetch(path, { signal, headers: { accept: 'application/json' } });
  const body: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return objectReply.parse(body);
  const told = problem.safeParse(body);
  throw new ObjectError(
    told.success ? told.data : { code: 'internal', status: reply.status, message: reply.statusText, requestId: '' },
  );
}

/** Events come without a change of the row. */
const eventsEveryMs = 10_000;

/**
 * A whole object with its events and, for a sandbox, its Pod: read again when `version` changes, and every ten
 * seconds for the events. While it is read again, what was known of the same object stays.
 */
export function useObject(kind: ReadableKind, { ns, name }: { ns: string; name: string }, version: string | undefined) {
  const path = `/api/v1/objects/${kind}/${encodeURIComponent(ns)}/${encodeURIComponent(name)}`;
  return useQuery<ObjectReply, ObjectError>({
    queryKey: ['objects', kind, ns, name, version ?? 'unseen'],
    queryFn: ({ signal }) => readObject(path, signal),
    placeholderData: (previous, query) =>
      query?.queryKey[2] === ns && query.queryKey[3] === name ? previous : undefined,
    refetchInterval: (query) => (query.state.status === 'error' ? false : eventsEveryMs),
    retry: (count, error) => count < 2 && !(error instanceof ObjectError && error.problem.status < 500),
    gcTime: 60_000,
  });
}
