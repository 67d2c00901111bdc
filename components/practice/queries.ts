import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type PracticeReply, type PracticeRequest, practiceReply } from '@/lib/contracts/practice';
import { RequestError, readJson } from '@/lib/read-json';

const path = '/api/v1/practice';
const pollMs = 5_000;

/** What can be practised, and what runs; asked for only on the embedded cluster. */
export const practice = queryOptions({
  queryKey: ['practice'],
  queryFn: ({ signal }) => readJson(practiceReply, path, { signal }),
  // Faults end by themselves, and other people start some.
  refetchInterval: ({ state }) => (isMissing(state.error) ? false : pollMs),
  retry: false,
});

/** The cluster has no control door: it was started without one. */
export const isMissing = (error: unknown): boolean => error instanceof RequestError && error.problem.status === 404;

/** Starts or ends something; what runs then is in the answer. */
export function useChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (request: PracticeRequest) =>
      readJson(practiceReply, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }),
    onSuccess: (reply: PracticeReply) => queries.setQueryData(practice.queryKey, reply),
  });
}
