'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useScope } from '@/components/shell';
import type { Mark, MarkScope, SetMarkRequest } from '@/lib/contracts/triage';
import { markLookup, markOn } from '@/lib/domain/triage';
import { useNow } from '@/lib/live';
import { marksOf, removeMark, setMark } from './queries';

const none: readonly Mark[] = [];

export type Triage = ReturnType<typeof useTriage>;
/** What was said. */
export type Said = Triage['known'];

/** What people have said of what is stuck, and how to say something oneself. */
export function useTriage() {
  const { namespaces } = useScope();
  const queries = useQueryClient();
  const { data, error, isPending } = useQuery(marksOf(namespaces));
  const now = useNow(2_000);
  const marks = data?.marks ?? none;
  const markOf = useMemo(() => markLookup(marks, now), [marks, now]);
  // Also after a refusal: then somebody was faster, and theirs is shown.
  const onSettled = () => queries.invalidateQueries({ queryKey: ['triage'] });
  const set = useMutation({ mutationFn: setMark, onSettled });
  const remove = useMutation({ mutationFn: removeMark, onSettled });
  /** What cells of thousands of rows stand on: the same until somebody says something. */
  const known = useMemo(
    () => ({
      marks,
      markOf,
      /** Nothing is known of what anybody said. */
      error: data ? null : error,
      isPending,
    }),
    [data, error, isPending, markOf, marks],
  );
  return {
    known,
    store: data?.store,
    set,
    remove,
    /** Says something on a scope, on top of what the person has seen said there; `version`: of what was seen, when not the last. */
    request: useCallback(
      (
        scope: MarkScope,
        word: Pick<SetMarkRequest, 'kind' | 'until' | 'note'>,
        version = markOn(marks, scope)?.version ?? 0,
      ): SetMarkRequest => ({ scope, version, ...word }),
      [marks],
    ),
  };
}
