import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type { Receipt } from '@/lib/contracts/writes';
import { useLiveStatus } from '@/lib/live';
import { WriteError } from '../../writes/api';
import { useDebounced } from '../../writes/use-debounced';
import { useObservation } from '../../writes/use-observation';

type Send<Request> = (request: Request & { dryRun: boolean }, signal?: AbortSignal) => Promise<Receipt>;
type Sent<Request> = { receipt: Receipt; request: Request; at: number };
export type OperationWrite = ReturnType<typeof useOperationWrite>;

/**
 * One write of an operation: its dry run, the write, and what the watch shows of it.
 * @param options.request what would be sent; undefined while there is nothing to send
 * @param options.mayAsk the person may write, and the data is fresh: a dry run is worth its request
 * @param options.seen whether the live rows show that a request has taken effect
 */
export function useOperationWrite<Request extends object>(options: {
  op: UpgradeRow;
  kind: string;
  request: Request | undefined;
  mayAsk: boolean;
  send: Send<Request>;
  seen: (request: Request) => boolean;
}) {
  const { op, kind, request, mayAsk, seen } = options;
  const [sent, setSent] = useState<Sent<Request>>();
  const [foundAt, setFoundAt] = useState<number>();
  const queries = useQueryClient();
  const cluster = useLiveStatus().freshness?.cluster;

  const send = useMutation({
    mutationFn: async (wanted: Request) => {
      const at = Date.now();
      return { receipt: await options.send({ ...wanted, dryRun: false }), request: wanted, at };
    },
    onSuccess: setSent,
    onSettled: () => queries.invalidateQueries({ queryKey: ['actions'] }),
  });
  // A write whose answer was lost happened after all, once the watch shows it; it stays so when others go on.
  const lost =
    send.error instanceof WriteError && send.error.problem.applied === 'unknown' ? send.variables : undefined;
  const shown = lost !== undefined && seen(lost);
  if (shown && foundAt !== send.submittedAt) setFoundAt(send.submittedAt);
  const applied = lost !== undefined && (shown || foundAt === send.submittedAt);

  const observation = useObservation(sent?.receipt, sent?.at ?? 0, sent !== undefined && seen(sent.request));
  const waiting = sent !== undefined && observation.state === 'accepted';
  const done = sent !== undefined || applied;

  const question = JSON.stringify(request);
  const settled = useDebounced(question, 400);
  const asks = mayAsk && request !== undefined && !done && !send.isPending;
  const dryRun = useQuery({
    queryKey: ['dry-run', kind, cluster?.name, cluster?.server, op.ns, op.name, op.uid, op.gen, settled],
    queryFn: ({ signal }) => {
      if (!request) throw new Error('nothing to ask');
      return options.send({ ...request, dryRun: true }, signal);
    },
    enabled: asks && settled === question,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  return {
    receipt: sent?.receipt,
    observation,
    /** Accepted, and not yet shown by the watch. */
    waiting,
    /** Sent, and taken; also when only the watch told so. */
    done,
    /** The answer was lost, and the watch has shown that it happened. */
    applied,
    dryRun: asks
      ? {
          data: dryRun.data,
          error: dryRun.error,
          asking: dryRun.isFetching || settled !== question,
          refetch: dryRun.refetch,
        }
      : undefined,
    send: () => request && send.mutate(request),
    sending: send.isPending,
    error: applied ? null : send.error,
    reset: () => {
      send.reset();
      setSent(undefined);
    },
  };
}
