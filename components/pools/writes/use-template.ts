import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import type { Receipt } from '@/lib/contracts/writes';
import { isObject, sameJson } from '@/lib/domain/json-diff';
import { type Template, templateDiff } from '@/lib/domain/templates';
import { poolObject, sendTemplate } from './api';
import { mergeTemplates } from './merge-templates';
import { checkTemplate } from './template-checks';
import { parseTemplate, templateText, type YamlProblem } from './template-yaml';
import { useDebounced } from './use-debounced';
import { useDryRunScope } from './use-dry-run-scope';
import { useObservation } from './use-observation';

/** What the person saw (`base`) and wants (`after`); `text` while the YAML view holds the pen. */
type Draft = { base: Template; after: Template; text?: string; problems?: YamlProblem[]; overlaps?: string[] };

/** Unsent edits outlive a closed form, in this tab's memory only: variables may hold secrets. By uid of the pool. */
const drafts = new Map<string, Draft>();

/**
 * The state of the template form: one change, seen as fields or as YAML.
 * @param mayAsk the person may patch, and the data is fresh: a dry run is worth its request
 */
export function useTemplate(pool: PoolRow, mayAsk: boolean) {
  const [uid] = useState(pool.uid);
  const [restored, setRestored] = useState(() => drafts.has(uid));
  const [draft, setDraft] = useState(() => drafts.get(uid));
  const [sent, setSent] = useState<{ receipt: Receipt; at: number }>();
  const queries = useQueryClient();

  const object = useQuery({ ...poolObject(pool), placeholderData: keepPreviousData });
  const spec = object.data?.object.spec;
  const live = isObject(spec) && isObject(spec.template) ? spec.template : undefined;

  const changed = draft !== undefined && !sameJson(draft.base, draft.after);
  // Text that means the same, such as a comment, is kept as typed.
  const edited = changed || draft?.text !== undefined ? draft : undefined;
  const base = edited?.base ?? live;
  const after = edited?.after ?? live;
  const moved = useMemo(() => (edited && live ? templateDiff(edited.base, live) : []), [edited, live]);
  const problems = edited?.problems ?? [];
  const fieldProblems = useMemo(() => (after ? checkTemplate(after) : []), [after]);

  const seen =
    sent !== undefined &&
    pool.uid === sent.receipt.object.uid &&
    (pool.gen ?? 0) >= (sent.receipt.generation ?? Number.POSITIVE_INFINITY);
  const observation = useObservation(sent?.receipt, sent?.at ?? 0, seen);
  const ready =
    edited !== undefined && changed && moved.length === 0 && problems.length === 0 && fieldProblems.length === 0;

  const request = ready
    ? { uid, before: edited.base, change: { by: 'yaml' as const, template: edited.after } }
    : undefined;
  const wanted = JSON.stringify(request);
  const settled = useDebounced(wanted, 600);
  const scope = useDryRunScope(pool);
  const dryRun = useQuery({
    queryKey: ['dry-run', 'template', ...scope, settled],
    queryFn: ({ signal }) => {
      if (!request) throw new Error('nothing to ask');
      return sendTemplate(pool, { ...request, dryRun: true }, signal);
    },
    enabled: mayAsk && request !== undefined && settled === wanted,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  const keep = (next: Draft | undefined) => {
    if (next) drafts.set(uid, next);
    else drafts.delete(uid);
    setDraft(next);
  };
  const send = useMutation({
    mutationFn: () => {
      if (!request) throw new Error('nothing to send');
      return sendTemplate(pool, { ...request, dryRun: false });
    },
    onMutate: () => ({ at: Date.now() }),
    onSuccess: (receipt, _nothing, { at }) => {
      setSent({ receipt, at });
      setRestored(false);
      keep(undefined);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['actions'] }),
  });
  const change = (next: Omit<Draft, 'base'>) => {
    if (!base) return;
    send.reset();
    setSent(undefined);
    keep({ base, ...next });
  };

  return {
    object,
    live,
    base,
    after,
    /** What changed underneath since the person started; not empty means: nothing is sent before it is taken over. */
    moved,
    overlaps: edited?.overlaps ?? [],
    problems,
    fieldProblems,
    text: edited?.text ?? (after ? templateText(after) : ''),
    changes: edited ? templateDiff(edited.base, edited.after) : [],
    restored: restored && edited !== undefined,
    ready,
    receipt: sent?.receipt,
    observation,
    dryRun: request && mayAsk ? dryRun : undefined,
    asking: request !== undefined && mayAsk && (dryRun.isFetching || settled !== wanted),
    send,
    edit: (next: Template) => change({ after: next }),
    editText(text: string) {
      const parsed = parseTemplate(text);
      if ('template' in parsed) change({ after: parsed.template, text });
      else if (after) change({ after, text, problems: parsed.problems });
    },
    takeOver() {
      if (!edited || !live) return;
      send.reset();
      const { merged, overlaps } = mergeTemplates(edited.base, edited.after, live);
      keep({ base: live, after: isObject(merged) ? merged : edited.after, overlaps });
    },
    discard() {
      send.reset();
      setRestored(false);
      keep(undefined);
    },
  };
}
