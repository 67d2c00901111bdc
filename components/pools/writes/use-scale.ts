import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { maxReplicas, type Receipt } from '@/lib/contracts/writes';
import { parseWhole } from '../../ui';
import { WriteError } from '../../writes/api';
import { useDebounced } from '../../writes/use-debounced';
import { useObservation } from '../../writes/use-observation';
import { sendScale } from './api';
import { useDryRunScope } from './use-dry-run-scope';

/** What was typed, and the number of replicas it was typed for. */
type Draft = { from: number; typed: string };
type Change = { from: number; to: number };

/**
 * The state of the scale form. A pool that changes underneath moves the starting point by itself only while nothing was
 * typed; otherwise `movedTo` says so, and {@link takeOver} accepts it.
 * @param mayAsk the person may scale, and the data is fresh: a dry run is worth its request
 */
export function useScale(pool: PoolRow, mayAsk: boolean) {
  const [draft, setDraft] = useState<Draft>();
  const [sent, setSent] = useState<{ receipt: Receipt; at: number }>();
  // The form was made for this object: one that takes its name later is refused by the server.
  const [uid] = useState(pool.uid);
  const queries = useQueryClient();
  const [foundAt, setFoundAt] = useState<number>();

  const send = useMutation({
    mutationFn: (change: Change) => sendScale(pool, { uid, ...change, dryRun: false }),
    onMutate: () => ({ at: Date.now() }),
    onSuccess: (receipt, _change, { at }) => setSent({ receipt, at }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['actions'] }),
  });
  // A write whose answer was lost happened after all, once the watch shows its number; it stays so when others go on.
  const lost = send.error instanceof WriteError && send.error.problem.applied === 'unknown';
  const showsLost = lost && pool.uid === uid && pool.desired === send.variables?.to;
  if (showsLost && foundAt !== send.submittedAt) setFoundAt(send.submittedAt);
  const applied = lost && (showsLost || foundAt === send.submittedAt) ? send.variables?.to : undefined;

  const seen = sent !== undefined && pool.uid === sent.receipt.object.uid && pool.desired === sent.receipt.after;
  const observation = useObservation(sent?.receipt, sent?.at ?? 0, seen);
  const waiting = sent !== undefined && observation.state === 'accepted';

  const done = (sent !== undefined && observation.state === 'observed') || applied !== undefined;
  const kept = done || draft?.typed === String(draft?.from) ? undefined : draft;
  const from = kept?.from ?? pool.desired;
  const typed = kept?.typed ?? String(pool.desired);
  const to = parseWhole(typed, 0, maxReplicas);

  // The watch may be faster than the answer to the write: then the change on screen is this person's own.
  const own = send.isPending && send.variables.to === pool.desired;
  const movedTo = from === pool.desired || waiting || own ? undefined : pool.desired;

  const request = to === undefined ? undefined : { uid, from, to };
  const settled = useDebounced(JSON.stringify(request), 400);
  const scope = useDryRunScope(pool);
  const asks = mayAsk && !waiting && movedTo === undefined && request !== undefined && to !== from;
  const dryRun = useQuery({
    queryKey: ['dry-run', 'scale', ...scope, settled],
    queryFn: ({ signal }) => sendScale(pool, { uid, from, to: to ?? from, dryRun: true }, signal),
    enabled: asks && settled === JSON.stringify(request),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  return {
    from,
    typed,
    to,
    movedTo,
    receipt: sent?.receipt,
    observation,
    /** Accepted, and not yet shown by the watch. */
    waiting,
    dryRun: asks
      ? { data: dryRun.data, error: dryRun.error, asking: dryRun.isFetching, refetch: dryRun.refetch }
      : undefined,
    /** The number of a write whose answer was lost, once the watch has shown it. */
    applied,
    send: (number: number) => send.mutate({ from, to: number }),
    sending: send.isPending,
    error: applied === undefined ? send.error : null,
    type(text: string) {
      send.reset();
      setSent(undefined);
      setDraft({ from, typed: text });
    },
    takeOver() {
      send.reset();
      setDraft({ from: pool.desired, typed });
    },
  };
}
