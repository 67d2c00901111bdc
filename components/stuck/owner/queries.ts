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

/** Marks of the namespaces that are looked at; all that the person may see, without one. */
export const marksOf = (namespaces: readonly string[]) =>
  queryOptions({
    queryKey: ['triage', namespaces.join(',')],
    queryFn: ({ signal }) => {
      const query = namespaces.length > 0 ? `?${new URLSearchParams({ namespaces: namespaces.join(',') })}` : '';
      return readJson(triageReply, `/api/v1/triage${query}`, { signal });
    },
    // Without the database an answer holds no marks: those that were known last are shown then.
    structuralSharing: (before, now) => {
      const [known, answer] = [before as TriageReply | undefined, now as TriageReply];
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
