'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Mark } from '@/lib/contracts/triage';
import { markLookup } from '@/lib/domain/triage';
import { useNow } from '@/lib/live';
import { marksOf } from './queries';

const none: readonly Mark[] = [];

/**
 * What people have said of what is stuck, as last known: what cannot be read now takes nobody's word away.
 * @param everyMs how often it is read again; pages that only count are in no hurry
 */
export function useMarks(namespaces: readonly string[], everyMs: number) {
  const { data, error, isPending } = useQuery({ ...marksOf(namespaces), refetchInterval: everyMs });
  const now = useNow(2_000);
  const marks = data?.marks ?? none;
  const markOf = useMemo(() => markLookup(marks, now), [marks, now]);
  return { marks, markOf, store: data?.store, error, isPending };
}
