import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { CleanLeftoversReply, CleanLeftoversRequest, LeftoverKind } from '@/lib/contracts/upgrade-leftovers';
import type { Leftover } from '@/lib/domain/upgrades/leftovers';
import { useRows } from '@/lib/live';
import { WriteError } from '../../writes/api';
import { sendCleaning } from '../queries';

/** As it was when the form was opened: another sandbox of the name is another one. */
export type CleanItem = { uid: string; name: string; kinds: readonly LeftoverKind[] };
export type Outcome = CleanLeftoversReply['items'][number];

/** What one request may name. */
const atOnce = 500;

export const cleanItem = ({ row, kinds }: Leftover): CleanItem => ({ uid: row.uid, name: row.name, kinds });

/** The label of a selection is in no row: where it is, it goes along. */
const itemOf = ({ uid, name, kinds }: CleanItem): CleanLeftoversRequest['items'][number] => ({
  uid,
  name,
  remove: [...new Set<LeftoverKind>([...kinds, 'selectionLabel'])],
});

/** One outcome a sandbox; a request that failed as a whole is the outcome of each of its own. */
async function clean(
  namespace: string,
  items: readonly CleanItem[],
  more: { dryRun: boolean; reason?: string },
  signal?: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const some = items.slice(from, from + atOnce).map(itemOf);
    try {
      outcomes.push(...(await sendCleaning({ namespace, items: some, ...more }, signal)).items);
    } catch (error) {
      // Nothing was done before: the error says all there is.
      if (from === 0 || !(error instanceof WriteError)) throw error;
      const { applied, message } = error.problem;
      const result = applied === 'unknown' ? ('unknown' as const) : ('refused' as const);
      outcomes.push(...some.map(({ uid, name }) => ({ uid, name, result, message })));
    }
  }
  return outcomes;
}

/**
 * Cleaning of the sandboxes of one namespace: its dry run, the writes, and what the watch shows of them.
 * @param mayAsk the person may patch sandboxes there, and the data is fresh
 */
export function useCleaning(namespace: string, items: readonly CleanItem[], mayAsk: boolean) {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: (reason: string) => clean(namespace, items, { dryRun: false, ...(reason === '' ? {} : { reason }) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['actions'] }),
  });
  const dryRun = useQuery({
    queryKey: ['dry-run', 'clean-leftovers', namespace, items.map(({ uid }) => uid)],
    queryFn: ({ signal }) => clean(namespace, items, { dryRun: true }, signal),
    enabled: mayAsk && send.isIdle,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const rows = useRows('sandboxes');
  const accepted = send.data?.filter(({ result }) => result === 'accepted') ?? [];
  const kindsOf = new Map(items.map(({ uid, kinds }) => [uid, kinds]));
  const live = accepted.length === 0 ? undefined : new Map(rows.map((row) => [row.uid, row]));
  return {
    dryRun,
    send: send.mutate,
    sending: send.isPending,
    error: send.error,
    outcomes: send.data,
    accepted: accepted.length,
    /** How many of those the watch shows clean. */
    observed: accepted.filter(({ uid }) => isClean(kindsOf.get(uid) ?? [], live?.get(uid))).length,
  };
}

const isThere: Record<LeftoverKind, (row: SandboxRow) => boolean> = {
  upgradePolicy: ({ policy }) => policy !== undefined,
  hooks: ({ hooks }) => hooks ?? false,
  failedLabel: ({ upFailed }) => upFailed ?? false,
  // In no row.
  selectionLabel: () => false,
};

const isClean = (kinds: readonly LeftoverKind[], row: SandboxRow | undefined) =>
  row === undefined || !kinds.some((kind) => isThere[kind](row));
