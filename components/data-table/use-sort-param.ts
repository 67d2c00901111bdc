'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { useCallback, useMemo } from 'react';
import type { Sort } from './columns';

/**
 * Sort of a list in the URL, as `name` or `-name`. `initial` is written the same way and leaves the URL clean. `param`: of a
 * page's second list.
 */
export function useSortParam(initial: string, param = 'sort'): [Sort, (sort: Sort) => void] {
  const [value, setValue] = useQueryState(param, parseAsString.withDefault(initial));
  const sort = useMemo(() => ({ id: value.replace(/^-/, ''), desc: value.startsWith('-') }), [value]);
  const onSort = useCallback((next: Sort) => void setValue(next.desc ? `-${next.id}` : next.id), [setValue]);
  return [sort, onSort];
}
