'use client';

import { type ReactNode, useMemo } from 'react';
import { FacetGroup, type FacetItem, SafeText, StateBadge } from '@/components/common';
import { causeCodes, displayStates } from '@/lib/contracts/rows';
import {
  claimedValues,
  type FacetCounts,
  type FacetName,
  overdueValues,
  revisionValues,
} from '@/lib/domain/sandbox-filter';
import { useTranslations } from '@/lib/i18n/use-translations';
import type { SandboxSearch } from './search-params';

/** In the order of the rail. */
const order: readonly FacetName[] = ['overdue', 'state', 'cause', 'pool', 'revision', 'claimed', 'node', 'namespace'];

/** Where there can be hundreds, the largest few come first. */
const limits: Partial<Record<FacetName, number>> = { cause: 6, pool: 4, node: 4, namespace: 4 };

const fixed: Partial<Record<FacetName, readonly string[]>> = {
  overdue: overdueValues.toReversed(),
  revision: revisionValues,
  claimed: claimedValues,
};

/** Every property to filter by, with how many rows each value would show. `known`: values of all rows, unfiltered. */
export function SandboxFacets({
  known,
  counts,
  search,
  onToggle,
}: {
  known: FacetCounts;
  counts: FacetCounts;
  search: SandboxSearch;
  onToggle: (facet: FacetName, value: string) => void;
}) {
  const t = useTranslations('sandboxes.facet');
  const label = useFacetLabel();
  return order.map((facet) => (
    <Group
      key={facet}
      title={t(`title.${facet}`)}
      known={known[facet]}
      counts={counts[facet]}
      chosen={search[facet]}
      values={fixed[facet]}
      limit={limits[facet] ?? displayStates.length}
      label={(value) => label(facet, value)}
      onToggle={(value) => onToggle(facet, value)}
    />
  ));
}

function Group({
  title,
  known,
  counts,
  chosen,
  values,
  limit,
  label,
  onToggle,
}: {
  title: string;
  known: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, number>;
  chosen: readonly string[];
  values: readonly string[] | undefined;
  limit: number;
  label: (value: string) => ReactNode;
  onToggle: (value: string) => void;
}) {
  const present = [...new Set([...known.keys(), ...chosen])].sort().join('\n');
  // Ordered by size when a value comes or goes, not with every count, so that nothing moves under the pointer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const sorted = useMemo(() => {
    const all = present === '' ? [] : present.split('\n');
    if (values) return values.filter((value) => all.includes(value));
    return all.sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0));
  }, [present, values]);
  const items = sorted.map(
    (value): FacetItem => ({ value, label: label(value), count: counts.get(value) ?? 0, on: chosen.includes(value) }),
  );
  return <FacetGroup title={title} items={items} limit={limit} onToggle={onToggle} />;
}

const isOneOf = <V extends string>(values: readonly V[], value: string): value is V =>
  (values as readonly string[]).includes(value);

/** A facet's value in the reader's language; names of objects as they are. */
export function useFacetLabel(): (facet: FacetName, value: string) => ReactNode {
  const t = useTranslations('sandboxes.facet.value');
  const td = useTranslations('domain');
  return (facet, value) => {
    if (facet === 'state' && isOneOf(displayStates, value)) return <StateBadge state={value} />;
    if (facet === 'cause' && isOneOf(causeCodes, value)) return td(`cause.${value}`);
    if (facet === 'overdue' && isOneOf(overdueValues, value)) return t(`overdue.${value}`);
    if (facet === 'revision' && isOneOf(revisionValues, value)) return t(`revision.${value}`);
    if (facet === 'claimed' && isOneOf(claimedValues, value)) return t(`claimed.${value}`);
    return <SafeText text={value} />;
  };
}
