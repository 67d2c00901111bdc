import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import { fieldPath, isAlwaysThere, isDirective, isMap, mergeKeyOf, orderPrefix, patchDirective } from './merge-keys';
import { faultAt } from './patch-fault';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is taken away where the template has nothing. The merge takes a new item as it is and the controller drops the directive
 * alone: `$patch: delete` of a variable adds an empty one. In a map it reads a null as an empty value (a label of no text, a limit
 * of 0) and a directive as one more key. Where a whole list or map is new, nulls and what carries `$patch` are left out instead.
 */
export function removalInNewItem(template: Fields, patch: Fields, path = '', isOne = false): PatchFault | undefined {
  if (patch[patchDirective] === 'replace') {
    const { [patchDirective]: _, ...fields } = patch;
    return inMaps(fields, path, 'nulls', isOne);
  }
  for (const [key, value] of Object.entries(patch)) {
    const old = there(key, own(template, key)) ?? (own(patch, `${orderPrefix}${key}`) ? [] : undefined);
    const at = fieldPath(path, key);
    const found =
      isObject(value) && isObject(old)
        ? removalInNewItem(old, value, at, isMap(key))
        : Array.isArray(value) && Array.isArray(old)
          ? inItems(old, value, mergeKeyOf(key), at)
          : key.startsWith(orderPrefix)
            ? unordered(template, patch, key.slice(orderPrefix.length), at)
            : inMaps({ [key]: value }, path);
    if (found) return found;
  }
  return undefined;
}

/**
 * An order of no item is refused by the merge. Where one item goes, another comes and a third is not named, the merge looks for
 * their places in a list that it has changed meanwhile.
 */
function unordered(template: Fields, patch: Fields, field: string, path: string): PatchFault | undefined {
  const [items, order] = [own(patch, field), own(patch, `${orderPrefix}${field}`)];
  const before = there(field, own(template, field));
  if (!Array.isArray(items) || !Array.isArray(order)) return undefined;
  if (items.length === 0 && before === undefined) return faultAt(path, 'orderOfNothing', {});
  const key = mergeKeyOf(field);
  if (key === undefined || !Array.isArray(before)) return undefined;
  const keysOf = (list: unknown[]) => new Set(list.filter(isObject).map((item) => item[key]));
  const old = keysOf(before);
  const goes = keysOf(items.filter((item) => isObject(item) && patchDirective in item));
  const comes = items.some((item) => isObject(item) && !(patchDirective in item) && !old.has(item[key]));
  const isNamed = [...old].every((each) => goes.has(each) || keysOf(order).has(each));
  if (!comes || isNamed || ![...goes].some((each) => old.has(each))) return undefined;
  return faultAt(path, 'orderUncertain', {});
}

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

/** The controller reads the template before: empty lists and maps are not there, some objects always are. */
function there(key: string, old: unknown): unknown {
  if (Array.isArray(old)) return old.length > 0 ? old : undefined;
  if (isObject(old)) return isMap(key) && Object.keys(old).length === 0 ? undefined : old;
  return isAlwaysThere(key) ? {} : undefined;
}

function inItems(old: unknown[], items: unknown[], key: string | undefined, path: string): PatchFault | undefined {
  // A list that is replaced is merged with nothing, and takes its items as they are as well.
  const replaced = items.some((item) => isObject(item) && item[patchDirective] === 'replace');
  for (const item of items) {
    if (!isObject(item) || patchDirective in item) continue;
    if (key === undefined) {
      const found = inMaps(item, path, 'nulls');
      if (found) return found;
      continue;
    }
    const before = replaced ? undefined : old.find((each) => isObject(each) && each[key] === item[key]);
    const at = `${path}[${String(item[key])}]`;
    const found = isObject(before)
      ? removalInNewItem(before, item, at)
      : holdsDirective(item)
        ? faultAt(at, 'directiveInNew', {})
        : inMaps(item, at, 'nulls');
    if (found) return found;
  }
  return undefined;
}

function holdsDirective(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return patchDirective in value || Object.values(value).some(holdsDirective);
}

/** The first key of a map in `value` that would become one of the template; `nulls`: they are kept here, too. */
function inMaps(value: unknown, path: string, nulls?: 'nulls', isOne = false): PatchFault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // What carries it is left out as a whole where nothing was before.
  if (!nulls && patchDirective in value) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : fieldPath(path, key);
    if (isOne && isDirective(key)) return faultAt(at, 'nothingToMean', {});
    if (isOne && nulls && item === null) return faultAt(at, 'nullInNew', {});
    const found = inMaps(item, at, nulls, isMap(key));
    if (found) return found;
  }
  return undefined;
}
