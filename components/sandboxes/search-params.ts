import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs';
import { causeCodes, displayStates } from '@/lib/contracts/rows';
import {
  claimedValues,
  type FacetName,
  facetNames,
  overdueValues,
  revisionValues,
  type SandboxFilter,
} from '@/lib/domain/sandbox-filter';

const oneOf = <V extends string>(values: readonly V[]) => parseAsArrayOf(parseAsStringLiteral(values)).withDefault([]);
const anyOf = parseAsArrayOf(parseAsString).withDefault([]);

/** The list in the URL: raw enum values, so that links mean the same in every language. Sorting has its own hook. */
export const sandboxParams = {
  q: parseAsString.withDefault(''),
  overdue: oneOf(overdueValues),
  state: oneOf(displayStates),
  cause: oneOf(causeCodes),
  pool: anyOf,
  node: anyOf,
  revision: oneOf(revisionValues),
  namespace: anyOf,
  claimed: oneOf(claimedValues),
  /** `namespace/name` of the sandbox beside the list. */
  peek: parseAsString.withDefault(''),
};

/** What {@link sandboxParams} read. */
export type SandboxSearch = { q: string; peek: string } & Record<FacetName, readonly string[]>;

export function filterOf({ q, ...search }: SandboxSearch): SandboxFilter {
  return { text: q, ...Object.fromEntries(facetNames.map((facet) => [facet, search[facet]])) };
}

/** How many filters are on; the words of a search count as one. */
export function activeFilters({ q, ...search }: SandboxSearch): number {
  return facetNames.reduce((sum, facet) => sum + search[facet].length, q.trim() === '' ? 0 : 1);
}

/** The chosen values of one facet after a press on `value`. */
export function toggled(chosen: readonly string[], value: string): string[] {
  return chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
}

export const noFilters = { q: null, ...Object.fromEntries(facetNames.map((facet) => [facet, null])) };

/** Name and namespace of a {@link sandboxParams.peek}. */
export function parsePeek(text: string): { ns: string; name: string } | undefined {
  const slash = text.indexOf('/');
  return slash > 0 && slash < text.length - 1 ? { ns: text.slice(0, slash), name: text.slice(slash + 1) } : undefined;
}
