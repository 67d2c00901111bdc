import { isObject, sameJson } from '../json-diff';
import type { Template } from '../templates';
import { deleteFromPrefix, isMergedSet, mergeKeyOf, orderPrefix, patchDirective } from './merge-keys';
import { mergeTemplate } from './strategic-merge';

type Fields = Record<string, unknown>;

/**
 * The strategic merge patch that makes `before` of `after` again, with nothing in it that need not be; {} when they are
 * equal. Undefined when no such patch can: a value that holds directives of the merge itself, or lists whose items do not
 * say which is which. A null in a template counts as an absent field.
 */
export function inversePatch(before: Template, after: Template): Fields | undefined {
  const patch = patchBetween(withoutNulls(after), withoutNulls(before));
  const back = mergeTemplate(after, patch);
  return 'template' in back && sameJson(withoutNulls(back.template), withoutNulls(before)) ? patch : undefined;
}

function patchBetween(from: Fields, to: Fields): Fields {
  const patch: Fields = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    if (sameJson(old, value)) continue;
    if (isObject(old) && isObject(value)) patch[key] = patchBetween(old, value);
    else if (Array.isArray(old) && Array.isArray(value)) Object.assign(patch, listBetween(key, old, value));
    else patch[key] = value;
  }
  return patch;
}

function listBetween(field: string, from: unknown[], to: unknown[]): Fields {
  const mergeKey = mergeKeyOf(field);
  if (isMergedSet(field)) return setBetween(field, from, to);
  if (mergeKey === undefined) return { [field]: to };
  const old = byKey(from, mergeKey);
  const wanted = byKey(to, mergeKey);
  // Items that share a key cannot be told apart: only the whole list can be put back.
  if (!old || !wanted) return { [field]: [...to, { [patchDirective]: 'replace' }] };
  const items: unknown[] = [];
  for (const [key, item] of wanted) {
    const there = old.get(key);
    if (there === undefined) items.push(item);
    else if (!sameJson(there, item)) items.push({ [mergeKey]: key, ...patchBetween(there, item) });
  }
  for (const key of old.keys()) if (!wanted.has(key)) items.push({ [mergeKey]: key, [patchDirective]: 'delete' });
  const patch = { [field]: items };
  if (sameJson(mergedKeys(field, from, patch, mergeKey), [...wanted.keys()])) return patch;
  const order = [...wanted.keys()].map((key) => ({ [mergeKey]: key }));
  // Of the items, those that are changed must stand in the order as well; they do, being taken from it.
  return { [`${orderPrefix}${field}`]: order, ...(items.length === 0 ? {} : patch) };
}

/** Undefined: an item has no key, or the key of another. */
function byKey(list: unknown[], mergeKey: string): Map<unknown, Fields> | undefined {
  const items = new Map<unknown, Fields>();
  for (const item of list) {
    const key = isObject(item) ? item[mergeKey] : undefined;
    if (!isObject(item) || key === undefined || items.has(key)) return undefined;
    items.set(key, item);
  }
  return items;
}

/** The keys in the order that the merge leaves them in. */
function mergedKeys(field: string, from: unknown[], patch: Fields, mergeKey: string): unknown[] | undefined {
  const merged = mergeTemplate({ [field]: from }, patch);
  const list = 'template' in merged ? merged.template[field] : undefined;
  return Array.isArray(list) ? list.map((item) => (isObject(item) ? item[mergeKey] : undefined)) : undefined;
}

function setBetween(field: string, from: unknown[], to: unknown[]): Fields {
  const gone = from.filter((item) => !to.includes(item));
  const added = to.filter((item) => !from.includes(item));
  return {
    ...(gone.length === 0 ? {} : { [`${deleteFromPrefix}${field}`]: gone }),
    ...(added.length === 0 ? {} : { [field]: added }),
  };
}

function withoutNulls(fields: Fields): Fields {
  const clean = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(clean) : isObject(value) ? withoutNulls(value) : value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [[key, clean(value)]])),
  );
}
