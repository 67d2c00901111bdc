import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { UpgradePreviewReply } from '@/lib/contracts/upgrade-preview';
import type { ChosenSandbox, UpgradeDraft } from '@/lib/contracts/upgrades';
import { WriteError } from '../../writes/api';
import { useDebounced } from '../../writes/use-debounced';
import { createUpgrade } from './api';
import { listChanges } from './impact';
import type { Planning } from './planning';

type Frozen = { question: string; list: readonly ChosenSandbox[] };

const chosen = (reply: UpgradePreviewReply): ChosenSandbox[] => reply.targets.map(({ uid, name }) => ({ uid, name }));

/** Others match by now than the list that was sent along: which, the preview says. */
const isMoved = (error: unknown): boolean => error instanceof WriteError && error.problem.reason === 'targetsChanged';

/** While the preview does not show what the server saw, both are asked again. */
const movedAgainMs = 2_000;

/** What decides which sandboxes are taken: another of these is another list, and no surprise. */
function questionOf({ namespace, targets, states, change, strategy, preUpgrade, postUpgrade }: UpgradeDraft): string {
  return JSON.stringify([namespace, targets, states, change, strategy, preUpgrade, postUpgrade]);
}

/**
 * The list that the person saw, the dry run for exactly that, and the write.
 * @param mayAsk the person may create operations here, and the data is fresh
 */
export function useCreate(planning: Planning, mayAsk: boolean) {
  const { draft, form, edit, preview, onSent } = planning;
  const queries = useQueryClient();
  const [frozen, setFrozen] = useState<Frozen>();
  const reply = preview.asking ? undefined : preview.reply;
  const question = useMemo(() => draft && questionOf(draft), [draft]);
  if (question !== undefined && reply && frozen?.question !== question) setFrozen({ question, list: chosen(reply) });
  const list = frozen !== undefined && frozen.question === question ? frozen.list : undefined;
  const changes = useMemo(
    () => (list && reply ? listChanges(list, chosen(reply)) : { added: [], missing: [] }),
    [list, reply],
  );
  // Whom nobody looked at must not be met; who went is missed by nobody, and comes and goes on a busy pool all the time.
  const moved = changes.added.length > 0;

  const reason = form.reason.trim();
  const plan = draft && list && list.length > 0 && !moved ? { draft, frozen: [...list] } : undefined;
  const request = plan && { ...plan, ...(reason === '' ? {} : { reason }) };
  const said = request && JSON.stringify(request);
  // Whether another operation works is part of what the API server answers to; the reason is the console's own.
  const asked = plan && JSON.stringify([plan, preview.reply?.active]);
  const settled = useDebounced(asked, 600);
  const asks = mayAsk && plan !== undefined;
  const dryRun = useQuery({
    queryKey: ['dry-run', 'create-upgrade', planning.cluster, settled],
    queryFn: ({ signal }) => {
      if (!plan) throw new Error('nothing to ask');
      return createUpgrade({ ...plan, dryRun: true }, signal);
    },
    enabled: asks && settled === asked,
    refetchInterval: ({ state }) => (isMoved(state.error) ? movedAgainMs : false),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const outdated = isMoved(dryRun.error);
  const { again } = preview;
  // External system: the server, which saw more than the last preview.
  useEffect(() => {
    if (outdated) again();
  }, [outdated, again]);
  const send = useMutation({
    mutationFn: async (_said: string) => {
      if (!request) throw new Error('nothing to send');
      const at = Date.now();
      const { namespace, name } = request.draft;
      return { receipt: await createUpgrade({ ...request, dryRun: false }), at, namespace, name };
    },
    onSuccess: onSent,
    onError: (error) => {
      if (isMoved(error)) again();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['actions'] }),
  });

  return {
    /** The list that is sent, as the person saw it; undefined while the plan is not complete. */
    list,
    ...changes,
    moved,
    /** How many the person agrees to. */
    count: list?.length ?? preview.reply?.targets.length ?? 0,
    /** Plans for the list itself, which nothing that matches later can get onto. */
    keepList: () => {
      send.reset();
      if (list) edit({ targetsBy: 'selection', sandboxes: [...list], origin: { as: 'seen' } });
    },
    takeNew: () => {
      send.reset();
      if (question !== undefined && reply) setFrozen({ question, list: chosen(reply) });
    },
    /** Undefined while there is nothing to ask. */
    dryRun: asks && !outdated ? dryRun : undefined,
    asking: asks && (dryRun.isFetching || outdated || settled !== asked),
    send: () => {
      if (said !== undefined) send.mutate(said);
    },
    sending: send.isPending,
    /** Of the last write, as long as the plan is the one that was sent. */
    error: send.variables === said ? send.error : null,
  };
}
export type Create = ReturnType<typeof useCreate>;
