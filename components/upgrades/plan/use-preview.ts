import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UpgradePreviewReply, UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { useDebounced } from '../../writes/use-debounced';
import { previewUpgrade } from './api';

/** The cluster moves on while somebody plans: asked again this often, while the page is in sight. */
const againMs = 5_000;

export type Preview = {
  /** The last answer, maybe to the question before this one: see `asking`. */
  reply: UpgradePreviewReply | undefined;
  /** What is shown is not the answer to what is typed yet. */
  asking: boolean;
  error: Error | null;
  again: () => unknown;
};

/** What the server says of a plan, kept up to date. A question that is not the last one any more is given up. */
export function usePreview(cluster: string, request: UpgradePreviewRequest | undefined): Preview {
  const question = useMemo(() => request && JSON.stringify(request), [request]);
  const settled = useDebounced(question, 400);
  const query = useQuery({
    queryKey: ['upgrade-preview', cluster, settled],
    queryFn: ({ signal }) => {
      if (!request) throw new Error('nothing to ask');
      return previewUpgrade(request, signal);
    },
    enabled: settled !== undefined && settled === question,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
    retry: false,
    gcTime: 0,
  });
  return {
    reply: request ? query.data : undefined,
    asking: request !== undefined && (settled !== question || query.isPlaceholderData || query.isPending),
    error: request ? query.error : null,
    again: query.refetch,
  };
}
