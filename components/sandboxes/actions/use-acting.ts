import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type {
  SandboxActionRequest,
  SandboxChange,
  SandboxOutcome,
  SandboxTarget,
} from '@/lib/contracts/sandbox-writes';
import { WriteError } from '../../writes/api';
import { deletedPodOf } from './observed';
import { namedAtMost, sendActions } from './send-actions';
import { useDryRun } from './use-dry-run';

/** So many requests at least, where there are enough: the table fills as they are answered. */
const portions = 8;
const smallest = 10;

type OnFailure = SandboxActionRequest['onFailure'];

export type Acting = ReturnType<typeof useActing>;
const failed = ({ result }: SandboxOutcome) => result === 'refused' || result === 'unknown';

/**
 * One change for frozen sandboxes: its dry run, and the writes, a portion at a time. What was sent once is never sent again; only
 * what was skipped can follow.
 * @param change what would be sent; undefined while something is lacking
 * @param mayAsk the person may write, and the data is fresh: a dry run is worth its request
 */
export function useActing(items: readonly SandboxTarget[], change: SandboxChange | undefined, mayAsk: boolean) {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, SandboxOutcome>>();
  const [sentAt, setSentAt] = useState(0);
  const [sent, setSent] = useState<SandboxChange>();
  const halt = useRef(false);

  const run = useMutation({
    mutationFn: async (asked: {
      change: SandboxChange;
      reason: string;
      onFailure: OnFailure;
      items: readonly SandboxTarget[];
    }) => {
      setSentAt(Date.now());
      setSent(asked.change);
      halt.current = false;
      const size = Math.min(namedAtMost, Math.max(smallest, Math.ceil(asked.items.length / portions)));
      let stopped = false;
      for (let from = 0; from < asked.items.length; from += size) {
        const some = asked.items.slice(from, from + size);
        const told: SandboxOutcome[] =
          stopped || halt.current ? skipped(some) : await portion(asked, some, from === 0 && outcomes === undefined);
        const [only] = told;
        // Refused, and nothing written: the question stands as it was, and can be put again.
        if (items.length === 1 && only?.result === 'refused' && only.problem && !only.receipt) {
          throw new WriteError({ ...only.problem, requestId: '' });
        }
        // Where no answer comes at all, the next would be lost as well.
        const lost = told.every(({ result }) => result === 'unknown');
        stopped ||= lost || (asked.onFailure === 'stop' && told.some(failed));
        setOutcomes((known) => new Map([...(known ?? []), ...told.map((each) => [each.uid, each] as const)]));
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['actions'] }),
  });

  const asks = mayAsk && change !== undefined && outcomes === undefined && !run.isPending;
  const dryRun = useDryRun(items, change, asks);

  return {
    /** Absent while nothing is asked. */
    dryRun: asks ? dryRun : undefined,
    /** What became of each, by uid; undefined before anything was sent. */
    outcomes,
    sentAt,
    /** What was sent: the fields may suggest something else, or nothing, since it has happened. */
    sent: outcomes && sent,
    sending: run.isPending,
    /** What is under way ends; what was not sent yet is left out. */
    stop: () => {
      halt.current = true;
    },
    /** The request as a whole failed, and nothing was done. */
    error: run.error,
    send: (reason: string, onFailure: OnFailure) => {
      if (change) run.mutate({ change, reason, onFailure, items: withPods(items, dryRun.predicted) });
    },
    /** Goes on with what was skipped after a failure. */
    goOn: (reason: string) => {
      const rest = items.filter(({ uid }) => outcomes?.get(uid)?.result === 'skipped');
      if (sent) run.mutate({ change: sent, reason, onFailure: 'continue', items: rest });
    },
  };
}

/** One outcome a sandbox, also where the request as a whole got no answer: then it may have happened. */
async function portion(
  { change, reason, onFailure }: { change: SandboxChange; reason: string; onFailure: OnFailure },
  items: readonly SandboxTarget[],
  first: boolean,
): Promise<SandboxOutcome[]> {
  const said = reason.trim();
  try {
    const request = { items: [...items], change, dryRun: false, onFailure, ...(said === '' ? {} : { reason: said }) };
    return (await sendActions(request)).items;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const { problem } = error;
    const result = problem.applied === 'unknown' ? ('unknown' as const) : ('refused' as const);
    // Nothing was done before, and nothing now: the error says all there is.
    if (first && result === 'refused') throw error;
    return items.map(({ ns, name, uid }) => ({ ns, name, uid, result, problem }));
  }
}

const skipped = (items: readonly SandboxTarget[]) =>
  items.map(({ ns, name, uid }) => ({ ns, name, uid, result: 'skipped' as const }));

/** The Pods that the dry run saw: another one by then is not deleted. */
function withPods(items: readonly SandboxTarget[], predicted: readonly SandboxOutcome[] | undefined): SandboxTarget[] {
  const podOf = new Map(predicted?.map((each) => [each.uid, deletedPodOf(each)]));
  return items.map((item) => {
    const podUid = podOf.get(item.uid);
    return podUid === undefined ? item : { ...item, podUid };
  });
}
