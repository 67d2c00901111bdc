'use client';

import { useQueryStates } from 'nuqs';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { poolKey } from '@/lib/domain/pools';
import { type FacetName, type FilterContext, filterSandboxes } from '@/lib/domain/sandbox-filter';
import { useLimits, useNow, useRows } from '@/lib/live';
import { activeFilters, filterOf, noFilters, sandboxParams, toggled } from './search-params';

const typing = { throttleMs: 300 };

/** Pools by key, for what a sandbox's revision is compared with. */
export function usePools(): FilterContext['pools'] {
  const pools = useRows('sandboxsets');
  return useMemo(() => new Map(pools.map((pool) => [poolKey(pool.ns, pool.name), pool])), [pools]);
}

/** All sandboxes, those that pass the filters of the URL, and the counts of every facet over all of them. */
export function useSandboxList() {
  const [search, setSearch] = useQueryStates(sandboxParams, { history: 'push' });
  const all = useRows('sandboxes');
  // Ten thousand rows are filtered and sorted after a key press is on the screen, not before.
  const asked = useDeferredValue(search);
  const pools = usePools();
  // Facets judge by limits of half a minute and more: two seconds are close enough for ten thousand rows.
  const now = useNow(2_000);
  const limits = useLimits();
  const context = useMemo(() => ({ pools, now, limits }), [pools, now, limits]);
  const active = activeFilters(asked);

  // Facets are told apart from the peek: opening a sandbox must not filter ten thousand rows again.
  const filterKey = JSON.stringify({ ...asked, peek: '' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the search
  const filter = useMemo(() => filterOf(asked), [filterKey]);
  const { rows, counts, known } = useMemo(() => filterSandboxes(all, filter, context), [all, filter, context]);

  return {
    all,
    rows,
    counts,
    known,
    pools,
    context,
    search,
    active,
    filterKey,
    toggle: useCallback(
      (facet: FacetName, value: string) =>
        void setSearch((was) => ({ [facet]: toggled(was[facet], value) }) as Partial<typeof was>),
      [setSearch],
    ),
    setText: useCallback((q: string) => void setSearch({ q }, { history: 'replace', ...typing }), [setSearch]),
    clear: useCallback(() => void setSearch(noFilters), [setSearch]),
    /** Opening pushes, so that Back closes; moving from one to the next replaces. */
    setPeek: useCallback(
      (peek: string | null, history: 'push' | 'replace') => void setSearch({ peek }, { history }),
      [setSearch],
    ),
  };
}
