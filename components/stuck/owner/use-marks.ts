'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Mark } from '@/lib/contracts/triage';
import { markLookup } from '@/lib/domain/triage';
import { useMarksVersion, useNow } from '@/lib/live';
import { marksOf } from './queries';

const none: readonly Mark[] = [];

/**
 * What people have said of what is stuck, as last known: what cannot be read now takes nobody's word away. Read when the stream
 * tells that something was said.
 */
export function useMarks(namespaces: readonly string[]) {
  const version = useMarksVersion();
  const { data, error, isPending, refetch } = useQuery(marksOf(namespaces, version));
  // External system: the stream, which tells of another version. Several that look at marks read them once.
  useEffect(() => {
    if (data && data.version !== version) void refetch({ cancelRefetch: false });
  }, [data, version, refetch]);
  const now = useNow(2_000);
  const marks = data?.marks ?? none;
  const markOf = useMemo(() => markLookup(marks, now), [marks, now]);
  return { marks, markOf, store: data?.store, error, isPending };
}
