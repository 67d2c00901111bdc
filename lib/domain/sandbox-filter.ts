import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { LimitsInForce } from './limits';
import { poolKey } from './pools';
import { severityOf } from './severity';

export const facetNames = ['state', 'pool', 'node', 'revision', 'namespace', 'claimed', 'cause', 'overdue'] as const;
export type FacetName = (typeof facetNames)[number];

/** Chosen values per facet, any of them matches; facets are combined with "and". */
export type SandboxFilter = Partial<Record<FacetName, readonly string[]>> & { text?: string };

/** Values of the facets whose values are fixed. */
export const revisionValues = ['current', 'old', 'none'] as const;
export const claimedValues = ['claimed', 'idle', 'kept', 'none'] as const;
export const overdueValues = ['warn', 'breach'] as const;

export interface FilterContext {
  /** By {@link poolKey}. */
  pools: ReadonlyMap<string, Pick<PoolRow, 'revision'>>;
  now: number;
  limits: LimitsInForce;
}

/** How many rows each value would show, with the filters of the other facets applied. */
export type FacetCounts = Record<FacetName, Map<string, number>>;

type Read = (row: SandboxRow) => string | undefined;

/** A row's value in each facet; undefined when it has none and can be found only without that filter. */
function readers(context: FilterContext): Record<FacetName, Read> {
  // Many rows share a pool, and the joined key is made once for each.
  const revisions = new Map<string, Map<string, string | undefined>>();
  const revisionInUse = (ns: string, pool: string) => {
    const byPool = revisions.get(ns) ?? new Map<string, string | undefined>();
    if (byPool.size === 0) revisions.set(ns, byPool);
    if (!byPool.has(pool)) byPool.set(pool, context.pools.get(poolKey(ns, pool))?.revision);
    return byPool.get(pool);
  };
  return {
    state: (row) => row.state,
    pool: (row) => row.pool,
    node: (row) => row.node,
    namespace: (row) => row.ns,
    revision: (row) => compareRevision(row, row.pool === undefined ? undefined : revisionInUse(row.ns, row.pool)),
    claimed: claimedOf,
    cause: (row) => row.cause?.code,
    overdue: (row) => {
      const severity = severityOf(row, context.now, context.limits);
      return severity === 'calm' ? undefined : severity;
    },
  };
}

/** Compared with the pool's own hash only: a sandbox's status.updateRevision is another algorithm (T24). */
export function revisionOf(row: SandboxRow, context: Pick<FilterContext, 'pools'>): (typeof revisionValues)[number] {
  return compareRevision(row, row.pool && context.pools.get(poolKey(row.ns, row.pool))?.revision);
}

function compareRevision(row: SandboxRow, current: string | undefined): (typeof revisionValues)[number] {
  if (row.hash === undefined || current === undefined) return 'none';
  return row.hash === current ? 'current' : 'old';
}

function claimedOf(row: SandboxRow): (typeof claimedValues)[number] {
  if (row.reserved) return 'kept';
  if (row.idle) return 'idle';
  return row.claimed ? 'claimed' : 'none';
}

/**
 * One pass over all rows: those that match, in the order given, and the counts of every facet, with the filters of
 * the others applied (`counts`) and with none (`known`).
 */
export function filterSandboxes(
  rows: readonly SandboxRow[],
  filter: SandboxFilter,
  context: FilterContext,
): { rows: SandboxRow[]; counts: FacetCounts; known: FacetCounts } {
  const words = searchWords(filter.text);
  const read = readers(context);
  const facets = facetNames.map((name): Facet => {
    const chosen = filter[name]?.length ? new Set(filter[name]) : undefined;
    return { name, read: read[name], chosen, value: undefined, counts: new Map(), known: new Map() };
  });
  const matching: SandboxRow[] = [];

  for (const row of rows) {
    let misses = words && !matchesWords(row, words) ? 2 : 0;
    let missed: Facet | undefined;
    for (const facet of facets) {
      facet.value = facet.read(row);
      tally(facet.known, facet.value);
      if (!facet.chosen || (facet.value !== undefined && facet.chosen.has(facet.value))) continue;
      misses++;
      missed = facet;
    }
    if (misses === 0) {
      matching.push(row);
      for (const { counts, value } of facets) tally(counts, value);
    } else if (misses === 1 && missed) {
      // Every other facet lets the row through: it would be shown if this one did.
      tally(missed.counts, missed.value);
    }
  }
  return { rows: matching, counts: ofFacets(facets, 'counts'), known: ofFacets(facets, 'known') };
}

interface Facet {
  name: FacetName;
  read: Read;
  chosen: ReadonlySet<string> | undefined;
  /** Of the row that is looked at. */
  value: string | undefined;
  counts: Tally;
  known: Tally;
}

type Tally = Map<string, { count: number }>;

function tally(counts: Tally, value: string | undefined): void {
  if (value === undefined) return;
  const entry = counts.get(value);
  if (entry) entry.count++;
  else counts.set(value, { count: 1 });
}

function ofFacets(facets: readonly Facet[], which: 'counts' | 'known'): FacetCounts {
  return Object.fromEntries(
    facets.map((facet) => [facet.name, new Map([...facet[which]].map(([value, { count }]) => [value, count]))]),
  ) as FacetCounts;
}

function searchWords(text: string | undefined): string[] | undefined {
  const words = text?.toLowerCase().split(/\s+/).filter(Boolean);
  return words?.length ? words : undefined;
}

/** Rows never change, so what is searched of each is put together once. */
const haystacks = new WeakMap<SandboxRow, string>();

function matchesWords(row: SandboxRow, words: readonly string[]): boolean {
  let haystack = haystacks.get(row);
  if (haystack === undefined) {
    // `namespace--name` is the older form of an id; an opaque id is never taken apart.
    haystack = [row.name, row.id, row.owner, row.claimName, row.ip, `${row.ns}--${row.name}`, `${row.ns}/${row.name}`]
      .join('\n')
      .toLowerCase();
    haystacks.set(row, haystack);
  }
  const text = haystack;
  return words.every((word) => text.includes(word));
}
