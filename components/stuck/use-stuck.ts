'use client';

import { useQueryStates } from 'nuqs';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { useListState } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark } from '@/lib/contracts/triage';
import { cohortsOf, type Split } from '@/lib/domain/cohorts';
import type { LimitsInForce } from '@/lib/domain/limits';
import { filterSandboxes } from '@/lib/domain/sandbox-filter';
import { severityOf } from '@/lib/domain/severity';
import { isInProgress } from '@/lib/domain/urgency';
import { useLimits, useNow, useRows } from '@/lib/live';
import { usePools } from '../sandboxes/use-sandbox-list';
import { type StuckView, stuckParams, stuckViews } from './stuck-params';

const noFilters = { q: null, state: null, cause: null, pool: null, node: null, namespace: null };

/** Rows of each view. Overdue is past either line and not put off; what somebody is on stays there too. */
export function splitByView(
  rows: readonly SandboxRow[],
  markOf: (row: SandboxRow) => Mark | undefined,
  now: number,
  limits: LimitsInForce,
): Record<StuckView, SandboxRow[]> {
  const views: Record<StuckView, SandboxRow[]> = { overdue: [], progress: [], acknowledged: [], snoozed: [] };
  for (const row of rows) {
    if (severityOf(row, now, limits) === 'calm') {
      if (isInProgress(row, now, limits)) views.progress.push(row);
      continue;
    }
    const mark = markOf(row);
    if (mark?.kind === 'snooze') {
      views.snoozed.push(row);
      continue;
    }
    views.overdue.push(row);
    if (mark) views.acknowledged.push(row);
  }
  return views;
}

/** Everything that is past a limit or on its way to one, as the URL filters, views and groups it. */
export function useStuck(markOf: (row: SandboxRow) => Mark | undefined) {
  const [search, setSearch] = useQueryStates(stuckParams, { history: 'push' });
  const all = useRows('sandboxes');
  const pools = usePools();
  const now = useNow(2_000);
  const limits = useLimits();
  const context = useMemo(() => ({ pools, now, limits }), [limits, now, pools]);
  // Thousands of rows are grouped after a key press is on the screen, not before.
  const asked = useDeferredValue(search);
  const { q, state, cause, pool, node, namespace } = asked;
  const key = JSON.stringify({ q, state, cause, pool, node, namespace });
  const filtered = q.trim() !== '' || [state, cause, pool, node, namespace].some((values) => values.length > 0);

  const total = useMemo(() => splitByView(all, markOf, now, limits), [all, markOf, now, limits]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters
  const views = useMemo(() => {
    if (!filtered) return total;
    const filter = { text: q, state, cause, pool, node, namespace };
    return splitByView(filterSandboxes(all, filter, context).rows, markOf, now, limits);
  }, [all, context, filtered, key, limits, markOf, now, total]);

  const view = asked.view ?? stuckViews.find((each) => views[each].length > 0) ?? 'overdue';
  const rows = views[view];
  const by = asked.by.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the list
  const cohorts = useMemo(() => cohortsOf(rows, asked.by, now, limits), [rows, by, now, limits]);
  const { cohort } = search;
  const ready = useListState('sandboxes') === 'ready';
  const isListed = cohort === '' || cohorts.some(({ key }) => key === cohort);
  // In which view a linked cohort is that this one does not show, whatever is filtered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the list
  const elsewhere = useMemo(
    () =>
      isListed
        ? undefined
        : stuckViews.find((each) => cohortsOf(total[each], asked.by, now, limits).some(({ key }) => key === cohort)),
    [isListed, total, by, now, limits, cohort],
  );
  return {
    /**
     * The cohort of the address: not among those that are shown, and where it is then; nowhere when it is over. One that only
     * the filter hides is not missed: the filter was asked for later.
     */
    linked: { isListed: ready && isListed, isMissing: ready && !isListed && elsewhere !== view, elsewhere },
    all,
    context,
    total,
    views,
    view,
    cohorts,
    filtered,
    filters: { state, cause, pool, node, namespace },
    search,
    scope: `${view}\n${key}\n${by}`,
    setView: useCallback((next: StuckView) => void setSearch({ view: next, cohort: null, peek: null }), [setSearch]),
    setText: useCallback(
      (text: string) => void setSearch({ q: text }, { history: 'replace', throttleMs: 300 }),
      [setSearch],
    ),
    setBy: useCallback((next: readonly Split[]) => void setSearch({ by: [...next], cohort: null }), [setSearch]),
    showView: useCallback((next: StuckView) => void setSearch({ ...noFilters, view: next, peek: null }), [setSearch]),
    setCohort: useCallback((cohort: string) => void setSearch({ cohort, peek: null }), [setSearch]),
    setPeek: useCallback(
      (cohort: string, row: SandboxRow) =>
        void setSearch({ cohort, peek: `${row.ns}/${row.name}` }, { history: 'replace' }),
      [setSearch],
    ),
    clear: useCallback(() => void setSearch(noFilters), [setSearch]),
  };
}
