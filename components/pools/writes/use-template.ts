import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import type { Receipt } from '@/lib/contracts/writes';
import { isObject, sameJson } from '@/lib/domain/json-diff';
import { inTermsOf } from '@/lib/domain/template-order';
import { type Template, templateDiff } from '@/lib/domain/templates';
import { WriteError } from '../../writes/api';
import { useDebounced } from '../../writes/use-debounced';
import { useObservation } from '../../writes/use-observation';
import { poolObject, sendTemplate } from './api';
import { mergeTemplates } from './merge-templates';
import { checkTemplate } from './template-checks';
import { withTags } from './template-edits';
import { parseTemplate, templateText, type YamlProblem } from './template-yaml';
import { useDryRunScope } from './use-dry-run-scope';

/** What the person saw (`base`) and wants (`after`); `text` while the YAML view holds the pen. */
type Draft = { base: Template; after: Template; text?: string; problems?: YamlProblem[]; overlaps?: string[] };

/** Unsent edits outlive a closed form, in this tab's memory only: variables may hold secrets. By uid of the pool. */
const drafts = new Map<string, Draft>();

const asTemplate = (value: unknown): Template | undefined => (isObject(value) ? value : undefined);

/**
 * The state of the template form: one change, seen as fields or as YAML.
 * @param mayAsk the person may patch, and the data is fresh: a dry run is worth its request
 * @param retag begins with tags in the place of init images that are pinned by digest
 */
export function useTemplate(pool: PoolRow, mayAsk: boolean, retag = false) {
  const [uid] = useState(pool.uid);
  const [restored, setRestored] = useState(() => drafts.has(uid));
  const [draft, setDraft] = useState(() => drafts.get(uid));
  const [sent, setSent] = useState<{ receipt: Receipt; at: number }>();
  /** The warnings that the person has seen and wants to send all the same. */
  const [insisted, setInsisted] = useState<string>();
  const queries = useQueryClient();

  const object = useQuery({ ...poolObject(pool), placeholderData: keepPreviousData });
  const spec = object.data?.object.spec;
  const live = isObject(spec) && isObject(spec.template) ? spec.template : undefined;

  const [filled, setFilled] = useState(!retag);
  if (!filled && live) {
    setFilled(true);
    // Unsent edits of the person are worth more than a suggestion.
    if (!draft) setDraft({ base: live, after: withTags(live) });
  }

  // What means the same, such as a comment or 0.5 for 500m, is kept as typed.
  const typed = draft !== undefined && (draft.text !== undefined || !sameJson(draft.base, draft.after));
  const edited = typed ? draft : undefined;
  const after = edited?.after ?? live;
  const wanted = useMemo(() => edited && asTemplate(inTermsOf(edited.base, edited.after)), [edited]);
  // The pool has become what is wanted: by a write whose answer is still to come or was lost, or by somebody else.
  const arrived = edited !== undefined && live !== undefined && sameJson(live, wanted);
  const base = arrived ? live : (edited?.base ?? live);
  const changed = edited !== undefined && !sameJson(base, wanted);
  const moved = useMemo(() => (edited && live && base ? templateDiff(base, live) : []), [edited, base, live]);
  const problems = edited?.problems ?? [];
  const found = useMemo(() => (after ? checkTemplate(after) : []), [after]);
  const fieldProblems = found.filter((problem) => !('warning' in problem));
  const warnings = found.filter((problem) => 'warning' in problem);
  const confirmed = warnings.length === 0 || insisted === JSON.stringify(warnings);

  const seen =
    sent !== undefined &&
    pool.uid === sent.receipt.object.uid &&
    (pool.gen ?? 0) >= (sent.receipt.generation ?? Number.POSITIVE_INFINITY);
  const observation = useObservation(sent?.receipt, sent?.at ?? 0, seen);
  const ready =
    edited !== undefined && changed && moved.length === 0 && problems.length === 0 && fieldProblems.length === 0;

  const request =
    ready && wanted ? { uid, before: edited.base, change: { by: 'yaml' as const, template: wanted } } : undefined;
  const question = JSON.stringify(request);
  const settled = useDebounced(question, 600);
  const scope = useDryRunScope(pool);
  const dryRun = useQuery({
    queryKey: ['dry-run', 'template', ...scope, settled],
    queryFn: ({ signal }) => {
      if (!request) throw new Error('nothing to ask');
      return sendTemplate(pool, { ...request, dryRun: true }, signal);
    },
    enabled: mayAsk && request !== undefined && settled === question,
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
  const applied = arrived && send.error instanceof WriteError && send.error.problem.applied === 'unknown';
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
    warnings,
    confirmed,
    insist: (on: boolean) => setInsisted(on ? JSON.stringify(warnings) : undefined),
    /** What would be sent, in the words of `base`; undefined while nothing is edited, or while the text does not parse. */
    wanted: problems.length > 0 ? undefined : wanted,
    text: edited?.text ?? (edited ? templateText(wanted) : live ? templateText(live) : ''),
    changes: edited && wanted && problems.length === 0 ? templateDiff(base ?? {}, wanted) : [],
    restored: restored && edited !== undefined,
    ready,
    receipt: sent?.receipt,
    observation,
    dryRun: request && mayAsk ? dryRun : undefined,
    /** A write whose answer was lost, and that the pool shows. */
    applied,
    error: applied ? null : send.error,
    asking: request !== undefined && mayAsk && (dryRun.isFetching || settled !== question),
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
