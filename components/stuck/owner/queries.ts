import { queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import {
  type Mark,
  removeMarkReply,
  type SetMarkRequest,
  setMarkReply,
  type TriageReply,
  triageReply,
} from '@/lib/contracts/triage';
import { readJson } from '@/lib/read-json';

/** Marks as they were read, at which version of the stream or later. */
type ReadMarks = TriageReply & { version: string | undefined };

/** After a failure, or without the database, it is tried again. */
const againMs = 5_000;

/**
 * Marks of the namespaces that are looked at; all that the person may see, without one.
 * @param version what the stream says of them; undefined: not yet
 */
export const marksOf = (namespaces: readonly string[], version: string | undefined) =>
  queryOptions<ReadMarks>({
    queryKey: ['triage', namespaces.join(',')],
    queryFn: async ({ signal }) => {
      const query = namespaces.length > 0 ? `?${new URLSearchParams({ namespaces: namespaces.join(',') })}` : '';
      return { ...(await readJson(triageReply, `/api/v1/triage${query}`, { signal })), version };
    },
    enabled: version !== undefined,
    refetchInterval: ({ state: { data, error } }) => (error || data?.store.state === 'unavailable' ? againMs : false),
    // Without the database an answer holds no marks: those that were known last are shown then.
    structuralSharing: (before, now) => {
      const [known, answer] = [before as ReadMarks | undefined, now as ReadMarks];
      return known && answer.store.state !== 'ok' ? { ...answer, marks: known.marks } : replaceEqualDeep(known, answer);
    },
    retry: false,
  });

export const setMark = (request: SetMarkRequest) =>
  readJson(setMarkReply, '/api/v1/triage', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });

export const removeMark = ({ id, version }: Pick<Mark, 'id' | 'version'>) =>
  readJson(removeMarkReply, `/api/v1/triage/${encodeURIComponent(id)}?version=${version}`, { method: 'DELETE' });
