import { isObject, sameJson } from '@/lib/domain/json-diff';

export type Merge = {
  merged: unknown;
  /** Places that both changed, and differently: there mine stands, and what theirs was is lost when it is sent. */
  overlaps: string[];
};

/**
 * Carries a person's edits over to a template that changed underneath. `base` is what both started from. Where only one
 * side changed, that side counts; where both did, mine does, because nothing typed is lost.
 */
export function mergeTemplates(base: unknown, mine: unknown, theirs: unknown): Merge {
  const overlaps: string[] = [];
  return { merged: merge(base, mine, theirs, '', overlaps), overlaps };
}

function merge(base: unknown, mine: unknown, theirs: unknown, path: string, overlaps: string[]): unknown {
  if (sameJson(mine, base) || sameJson(mine, theirs)) return theirs;
  if (sameJson(theirs, base)) return mine;
  const [b, m, t] = [keyed(base), keyed(mine), keyed(theirs)];
  if (!b || !m || !t || b.list !== m.list || m.list !== t.list) {
    overlaps.push(path);
    return mine;
  }
  const result = new Map<string, unknown>();
  for (const key of new Set([...m.entries.keys(), ...t.entries.keys()])) {
    const at = m.list ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const value = merge(b.entries.get(key), m.entries.get(key), t.entries.get(key), at, overlaps);
    if (value !== undefined) result.set(key, value);
  }
  return m.list ? [...result.values()] : Object.fromEntries(result);
}

/** Objects by key, lists of named entries by name; other lists are one value. */
function keyed(value: unknown): { list: boolean; entries: Map<string, unknown> } | undefined {
  if (isObject(value)) return { list: false, entries: new Map(Object.entries(value)) };
  if (!Array.isArray(value)) return undefined;
  const entries = new Map<string, unknown>();
  for (const item of value) {
    if (!isObject(item) || typeof item.name !== 'string' || entries.has(item.name)) return undefined;
    entries.set(item.name, item);
  }
  return { list: true, entries };
}
