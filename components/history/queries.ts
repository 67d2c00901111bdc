import { queryOptions } from '@tanstack/react-query';
import { durationsReply, sandboxHistoryReply } from '@/lib/contracts/history';
import { phaseHistoryReply } from '@/lib/contracts/objects';
import { readJson } from '@/lib/read-json';

/** What a sandbox did from its creation to now. `version` changes when it moves on. */
export const sandboxHistory = ({ ns, uid }: { ns: string; uid: string }, version: string) =>
  queryOptions({
    queryKey: ['history', 'sandboxes', ns, uid, version],
    queryFn: ({ signal }) =>
      readJson(sandboxHistoryReply, `/api/v1/history/sandboxes/${encodeURIComponent(ns)}/${encodeURIComponent(uid)}`, {
        signal,
      }),
    // Its open stay grows by the clock of the page; what ends changes the version.
    staleTime: 30_000,
    placeholderData: (previous, query) => (query?.queryKey[3] === uid ? previous : undefined),
    gcTime: 60_000,
    retry: false,
  });

/** How long stays of sandboxes of a pool (or of a namespace, without one) lasted in the last 24 hours. */
export const usualDurations = (ns: string, pool: string | undefined) =>
  queryOptions({
    queryKey: ['history', 'durations', ns, pool ?? ''],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(pool === undefined ? { namespaces: ns } : { pool: `${ns}/${pool}` });
      return readJson(durationsReply, `/api/v1/history/durations?${query}`, { signal });
    },
    staleTime: 60_000,
    retry: false,
  });

/** Counts per state of a pool over the last minutes. */
export const poolPhases = (ns: string, pool: string, minutes: number) =>
  queryOptions({
    queryKey: ['history', 'phases', ns, pool, minutes],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ minutes: String(minutes), pool: `${ns}/${pool}` });
      return readJson(phaseHistoryReply, `/api/v1/history/phases?${query}`, { signal });
    },
    refetchInterval: 15_000,
    retry: false,
  });
