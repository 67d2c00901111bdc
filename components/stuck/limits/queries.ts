import { queryOptions } from '@tanstack/react-query';
import { limitsReply, type SetLimitsRequest } from '@/lib/contracts/triage';
import { readJson } from '@/lib/read-json';

/** The limits that differ from the defaults. */
export const limitSettings = () =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => readJson(limitsReply, '/api/v1/limits', { signal }),
    retry: false,
    // What was read when the form was last open may be another's by now; while it is open, only a refusal shows what is new.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const saveLimits = (request: SetLimitsRequest) =>
  readJson(limitsReply, '/api/v1/limits', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
