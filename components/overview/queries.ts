import { queryOptions } from '@tanstack/react-query';
import { phaseHistoryReply } from '@/lib/contracts/objects';
import { readJson } from '@/lib/read-json';

/** `minutes`: how far back. */
export const phaseHistory = (minutes: number) =>
  queryOptions({
    queryKey: ['history', 'phases', minutes],
    queryFn: ({ signal }) => readJson(phaseHistoryReply, `/api/v1/history/phases?minutes=${minutes}`, { signal }),
    refetchInterval: 15_000,
  });
