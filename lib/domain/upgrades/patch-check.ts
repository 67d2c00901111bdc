import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import {
  deleteFromPrefix,
  fieldPath,
  isDirective,
  isMergedSet,
  mergeKeyOf,
  patchDirective,
  retainKeys,
} from './merge-keys';
import { faultAt, typeName } from './patch-fault';
import { shapeProblem } from './template-shape';

/**
 * What is wrong with a strategic merge patch on a Pod template whatever the template is; undefined when nothing is. It is
 * stricter than the merge where that would accept what can never be meant: an item without its merge key is refused also
 * where the template has no such list yet.
 */
export function patchProblem(patch: unknown): PatchFault | undefined {
  if (!isObject(patch)) return faultAt('', 'notAnObject', { got: typeName(patch) });
  return objectProblem(patch, '') ?? shapeProblem(patch);
}

function objectProblem(patch: Record<string, unknown>, path: string): PatchFault | undefined {
  const directive = patch[patchDirective];
  if (directive !== undefined && directive !== 'delete' && directive !== 'replace') {
    return faultAt(fieldPath(path, patchDirective), 'unknownDirective', { got: JSON.stringify(directive) });
  }
  for (const [key, value] of Object.entries(patch)) {
    const at = fieldPath(path, key);
    const found = isDirective(key) ? directiveProblem(key, patch, at) : valueProblem(key, value, at);
    if (found) return found;
  }
  return undefined;
}

function valueProblem(field: string, value: unknown, path: string): PatchFault | undefined {
  if (isObject(value)) {
    return mergeKeyOf(field) === undefined ? objectProblem(value, path) : faultAt(path, 'notAList', { got: 'object' });
  }
  if (!Array.isArray(value)) return undefined;
  const mergeKey = mergeKeyOf(field);
  if (mergeKey === undefined) return undefined;
  for (const [index, item] of value.entries()) {
    const found = itemProblem(item, mergeKey, `${path}[${index}]`, path);
    if (found) return found;
  }
  return undefined;
}

function itemProblem(item: unknown, mergeKey: string, path: string, list: string): PatchFault | undefined {
  if (!isObject(item)) return faultAt(path, 'notAnItem', { got: typeName(item) });
  const key = item[mergeKey];
  // `- $patch: replace` stands for the whole list and for no item.
  if (key === undefined && item[patchDirective] !== 'replace') {
    return faultAt(path, 'noMergeKey', { key: mergeKey });
  }
  return objectProblem(item, key === undefined ? path : `${list}[${String(key)}]`);
}

function directiveProblem(key: string, patch: Record<string, unknown>, path: string): PatchFault | undefined {
  const value = patch[key];
  if (key === patchDirective) return undefined;
  if (!Array.isArray(value)) return faultAt(path, 'directiveNotAList', { got: typeName(value) });
  if (key === retainKeys) {
    const missing = Object.keys(patch).find(
      (field) => !isDirective(field) && patch[field] !== null && !value.includes(field),
    );
    return missing === undefined ? undefined : faultAt(path, 'retainLacks', { field: missing });
  }
  const field = key.slice(key.indexOf('/') + 1);
  const mergeKey = mergeKeyOf(field);
  if (key.startsWith(deleteFromPrefix)) {
    if (!isMergedSet(field)) return faultAt(path, 'notUnited', { field });
    if (patch[field] !== undefined) return faultAt(path, 'setAndTaken', { field });
    return value.some((item) => isObject(item) || Array.isArray(item)) ? faultAt(path, 'notPlain', {}) : undefined;
  }
  if (mergeKey === undefined && !isMergedSet(field)) return faultAt(path, 'noOrder', { field });
  return orderProblem(value, patch[field], mergeKey, path);
}

/** The items of the patch must be among those of the order, and stand in it. */
function orderProblem(
  order: unknown[],
  list: unknown,
  mergeKey: string | undefined,
  path: string,
): PatchFault | undefined {
  const identity = (item: unknown) => (mergeKey !== undefined && isObject(item) ? item[mergeKey] : item);
  if (mergeKey !== undefined && order.some((item) => !isObject(item) || item[mergeKey] === undefined)) {
    return faultAt(path, 'orderKeys', { key: mergeKey });
  }
  if (order.length === 0) return faultAt(path, 'orderEmpty', {});
  if (!Array.isArray(list)) return undefined;
  const wanted = order.map(identity);
  const items = list.filter((item) => !isObject(item) || item[patchDirective] !== 'delete');
  let at = 0;
  for (const item of items) {
    // As the merge compares them: what is behind the last one of the order is in no place, a directive too.
    const isPassed = at < wanted.length && isObject(item) && patchDirective in item;
    if (isPassed) continue;
    while (at < wanted.length && wanted[at] !== identity(item)) at++;
    if (at === wanted.length) {
      return faultAt(path, 'orderPlace', { item: JSON.stringify(identity(item)) });
    }
    at++;
  }
  return undefined;
}
