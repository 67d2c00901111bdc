import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { SandboxChange, SandboxOutcome, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { useLiveStatus } from '@/lib/live';
import { useDebounced } from '../../writes/use-debounced';
import { sendActions } from './send-actions';

/** One request after the other, so many sandboxes each: the server asks about some of them at a time. */
const portion = 250;

export type DryRun = ReturnType<typeof useDryRun>;

/**
 * What would become of a change, sandbox by sandbox: all are asked about, a portion after the other, until somebody stops it.
 * @param change what would be sent; undefined while something is lacking
 * @param asks an answer is of use, and may be had
 */
export function useDryRun(items: readonly SandboxTarget[], change: SandboxChange | undefined, asks: boolean) {
  const queries = useQueryClient();
  const cluster = useLiveStatus().freshness?.cluster;
  const wanted = JSON.stringify(change);
  const question = useMemo(() => JSON.stringify([items, wanted]), [items, wanted]);
  const settled = useDebounced(question, 400);
  /** The question that was stopped. */
  const [stopped, setStopped] = useState<string>();
  const isPut = asks && settled === question;
  const queryKey = ['dry-run', 'sandboxes', cluster?.name, cluster?.server, settled];
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      if (!change) throw new Error('nothing to ask');
      const some = items.slice(pageParam, pageParam + portion);
      return (await sendActions({ items: some, change, dryRun: true, onFailure: 'continue' }, signal)).items;
    },
    getNextPageParam: (_last, pages) => {
      const asked = pages.length * portion;
      return asked < items.length ? asked : undefined;
    },
    enabled: isPut && stopped !== question,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isOpen = isPut && stopped !== question && hasNextPage && !error;
  // External system: the server, which takes a portion at a time.
  useEffect(() => {
    if (isOpen && !isFetching) void fetchNextPage();
  }, [isOpen, isFetching, fetchNextPage]);
  const told = useMemo(() => data?.pages.flat(), [data]);
  const predicted: readonly SandboxOutcome[] | undefined = isPut ? told : undefined;
  return {
    /** What was said of each, as far as it was asked. */
    predicted,
    /** More than one request takes: it can be stopped. */
    inPortions: items.length > portion,
    /** All were asked about. */
    isWhole: predicted?.length === items.length,
    asking: asks && (isFetching || isOpen || settled !== question),
    stopped: isPut && stopped === question,
    error: isPut ? error : null,
    /** Asks about no more; what was answered stays. */
    stop: () => {
      setStopped(question);
      void queries.cancelQueries({ queryKey });
    },
    /** Goes on where it was stopped, or failed. */
    goOn: () => {
      setStopped(undefined);
      void fetchNextPage();
    },
  };
}
