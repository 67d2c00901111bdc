'use client';

import { useQueryStates } from 'nuqs';
import { useCallback, useMemo } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import { filterSandboxes } from '@/lib/domain/sandbox-filter';
import { severityOf } from '@/lib/domain/severity';
import { isInProgress } from '@/lib/domain/urgency';
import { useNow, useRows } from '@/lib/live';
import { usePools } from '../sandboxes/use-sandbox-list';
import { type StuckView, stuckParams, stuckViews } from './stuck-params';

const noFilters = { q: null, state: null, cause: null, pool: null, node: null, namespace: null };

/** Rows of each view, by severity and limit alone. Overdue is what every other page counts: past either line. */
export function splitByView(rows: readonly SandboxRow[], now: number): Record<StuckView, SandboxRow[]> {
  const views: Record<StuckView, SandboxRow[]> = { overdue: [], warn: [], progress: [] };
  for (const row of rows) {
    const severity = severityOf(row, now);
    if (severity !== 'calm') views.overdue.push(row);
    if (severity === 'warn') views.warn.push(row);
    else if (isInProgress(row, now)) views.progress.push(row);
  }
  return views;
}

/** Everything that is past a limit or on its way to one, as the URL filters it. */
export function useStuckList() {
  const [search, setSearch] = useQueryStates(stuckParams, { history: 'push' });
  const all = useRows('sandboxes');
  const pools = usePools();
  const now = useNow(2_000);
  const { q, state, cause, pool, node, namespace } = search;
  const key = JSON.stringify({ q, state, cause, pool, node, namespace });
  const filtered = q.trim() !== '' || [state, cause, pool, node, namespace].some((values) => values.length > 0);

  const total = useMemo(() => splitByView(all, now), [all, now]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters
  const views = useMemo(() => {
    if (!filtered) return total;
    const filter = { text: q, state, cause, pool, node, namespace };
    return splitByView(filterSandboxes(all, filter, { pools, now }).rows, now);
  }, [all, filtered, key, now, pools, total]);

  const view = search.view ?? stuckViews.find((each) => views[each].length > 0) ?? 'overdue';
  return {
    all,
    pools,
    total,
    views,
    view,
    rows: views[view],
    filtered,
    filters: { state, cause, pool, node, namespace },
    search,
    scope: `${view}\n${key}`,
    setView: useCallback((next: StuckView) => void setSearch({ view: next, peek: null }), [setSearch]),
    setText: useCallback(
      (text: string) => void setSearch({ q: text }, { history: 'replace', throttleMs: 300 }),
      [setSearch],
    ),
    setPeek: useCallback(
      (row: SandboxRow) => void setSearch({ peek: `${row.ns}/${row.name}` }, { history: 'replace' }),
      [setSearch],
    ),
    clear: useCallback(() => void setSearch(noFilters), [setSearch]),
  };
}
