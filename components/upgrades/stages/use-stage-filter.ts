import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import type { FailureGroup } from '@/lib/domain/upgrades/failure-groups';
import { passes, type Show, type StageRow, shows } from './stage-rows';

const parsers = {
  show: parseAsStringLiteral(shows).withDefault('all'),
  stage: parseAsString.withDefault(''),
  node: parseAsString.withDefault(''),
  failure: parseAsString.withDefault(''),
};

/** The filters of the matrix, in the address: by how far, by stage, by node, by what went wrong. */
export function useStageFilter(all: readonly StageRow[], groups: readonly FailureGroup[]) {
  const [filter, set] = useQueryStates(parsers);
  const { show, stage, node, failure } = filter;
  const inGroup = useMemo(() => {
    const group = groups.find((candidate) => nameOf(candidate) === failure);
    return new Set(group?.sandboxes.map(({ uid }) => uid));
  }, [groups, failure]);
  const rows = useMemo(
    () =>
      all.filter(
        (entry) =>
          passes[show](entry) &&
          (stage === '' || entry.stage === stage) &&
          (node === '' || entry.row.node === node) &&
          (failure === '' || inGroup.has(entry.row.uid)),
      ),
    [all, show, stage, node, failure, inGroup],
  );
  const counts = useMemo(() => {
    const found = Object.fromEntries(shows.map((each) => [each, 0])) as Record<Show, number>;
    for (const entry of all) for (const each of shows) if (passes[each](entry)) found[each]++;
    return found;
  }, [all]);
  const nodes = useMemo(
    () =>
      [...new Set(all.flatMap(({ row }) => row.node ?? []))].sort((a, b) =>
        a.localeCompare(b, 'en', { numeric: true }),
      ),
    [all],
  );
  return {
    ...filter,
    rows,
    counts,
    nodes,
    key: JSON.stringify(filter),
    set: (next: Partial<typeof filter>) => void set(next),
    clear: () => void set(null),
  };
}
export type StageFilter = ReturnType<typeof useStageFilter>;

/** Short enough for an address, and the same as long as the group is. */
export function nameOf({ key }: FailureGroup): string {
  let hash = 0;
  for (let index = 0; index < key.length; index++) hash = (hash * 31 + key.charCodeAt(index)) | 0;
  return (hash >>> 0).toString(36);
}
