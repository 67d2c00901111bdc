'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useScope } from '@/components/shell';
import type { MarkScope, SetMarkRequest } from '@/lib/contracts/triage';
import { markOn } from '@/lib/domain/triage';
import { removeMark, setMark } from './queries';
import { useMarks } from './use-marks';

export type Triage = ReturnType<typeof useTriage>;
/** What was said. */
export type Said = Triage['known'];

/** What people have said of what is stuck, and how to say something oneself. */
export function useTriage() {
  const { namespaces } = useScope();
  const queries = useQueryClient();
  const { marks, markOf, store, error, isPending } = useMarks(namespaces);
  // Also after a refusal: then somebody was faster, and theirs is shown.
  const onSettled = () => queries.invalidateQueries({ queryKey: ['triage'] });
  const set = useMutation({ mutationFn: setMark, onSettled });
  const remove = useMutation({ mutationFn: removeMark, onSettled });
  /** What cells of thousands of rows stand on: the same until somebody says something. */
  const known = useMemo(
    () => ({
      marks,
      markOf,
      /** Why what was said cannot be read now; what is known is of before. */
      error,
      /** Nothing that is said can be kept now: who is on what has no mark, nobody knows. */
      isAway: error !== null || (store !== undefined && store.state !== 'ok'),
      isPending,
    }),
    [error, isPending, markOf, marks, store],
  );
  return {
    known,
    store,
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
