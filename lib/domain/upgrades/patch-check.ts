import { isObject } from '../json-diff';
import {
  deleteFromPrefix,
  fieldPath,
  isDirective,
  mergeKeyOf,
  orderPrefix,
  patchDirective,
  retainKeys,
} from './merge-keys';
import { shapeProblem } from './template-shape';

export interface MergeProblem {
  /** `spec.containers[python].env[2]`; '' is the patch itself. */
  path: string;
  code:
    | 'notAnObject'
    | 'notAList'
    | 'notAnItem'
    | 'noMergeKey'
    /** A word after `$patch` that is neither delete nor replace. */
    | 'unknownDirective'
    /** `$retainKeys`, `$setElementOrder` or `$deleteFromPrimitiveList` with what it cannot mean. */
    | 'badDirective'
    /** A field of the template that is of another type: the controller cannot read the result. */
    | 'wrongType'
    /** The result has no container: no Pod can be made of it. */
    | 'noContainers'
    /** A container is left without an image; mostly one that the template does not have, named by mistake. */
    | 'noImage';
  /** What was found and what belongs there, in the terms of the API. */
  message: string;
}

/**
 * What is wrong with a strategic merge patch on a Pod template whatever the template is; undefined when nothing is. It is
 * stricter than the merge where that would accept what can never be meant: an item without its merge key is refused also
 * where the template has no such list yet.
 */
export function patchProblem(patch: unknown): MergeProblem | undefined {
  if (!isObject(patch)) return { path: '', code: 'notAnObject', message: `expected an object, got ${typeName(patch)}` };
  return objectProblem(patch, '') ?? shapeProblem(patch);
}

function objectProblem(patch: Record<string, unknown>, path: string): MergeProblem | undefined {
  const directive = patch[patchDirective];
  if (directive !== undefined && directive !== 'delete' && directive !== 'replace') {
    const message = `${patchDirective} takes delete or replace, got ${JSON.stringify(directive)}`;
    return { path: fieldPath(path, patchDirective), code: 'unknownDirective', message };
  }
  for (const [key, value] of Object.entries(patch)) {
    const at = fieldPath(path, key);
    const found = isDirective(key) ? directiveProblem(key, patch, at) : valueProblem(key, value, at);
    if (found) return found;
  }
  return undefined;
}

function valueProblem(field: string, value: unknown, path: string): MergeProblem | undefined {
  if (isObject(value)) {
    return mergeKeyOf(field) === undefined
      ? objectProblem(value, path)
      : { path, code: 'notAList', message: 'expected a list, got an object' };
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

function itemProblem(item: unknown, mergeKey: string, path: string, list: string): MergeProblem | undefined {
  if (!isObject(item)) return { path, code: 'notAnItem', message: `expected an object, got ${typeName(item)}` };
  const key = item[mergeKey];
  // `- $patch: replace` stands for the whole list and for no item.
  if (key === undefined && item[patchDirective] !== 'replace') {
    return { path, code: 'noMergeKey', message: `items of this list are told apart by ${mergeKey}, which is missing` };
  }
  return objectProblem(item, key === undefined ? path : `${list}[${String(key)}]`);
}

function directiveProblem(key: string, patch: Record<string, unknown>, path: string): MergeProblem | undefined {
  const value = patch[key];
  if (key === patchDirective) return undefined;
  const bad = (message: string): MergeProblem => ({ path, code: 'badDirective', message });
  if (!Array.isArray(value)) return bad(`expected a list, got ${typeName(value)}`);
  if (key === retainKeys) {
    const missing = Object.keys(patch).find(
      (field) => !isDirective(field) && patch[field] !== null && !value.includes(field),
    );
    return missing === undefined ? undefined : bad(`${missing} is set and not among the keys to retain`);
  }
  if (key.startsWith(deleteFromPrefix)) {
    return value.some((item) => isObject(item) || Array.isArray(item)) ? bad('expected plain values') : undefined;
  }
  return orderProblem(value, patch[key.slice(orderPrefix.length)], mergeKeyOf(key.slice(orderPrefix.length)), bad);
}

/** The items of the patch must be among those of the order, and stand in it. */
function orderProblem(
  order: unknown[],
  list: unknown,
  mergeKey: string | undefined,
  bad: (message: string) => MergeProblem,
): MergeProblem | undefined {
  const identity = (item: unknown) => (mergeKey !== undefined && isObject(item) ? item[mergeKey] : item);
  if (mergeKey !== undefined && order.some((item) => !isObject(item) || item[mergeKey] === undefined)) {
    return bad(`expected objects with ${mergeKey}`);
  }
  if (!Array.isArray(list) || order.length === 0) return undefined;
  const wanted = order.map(identity);
  let from = 0;
  for (const item of list) {
    if (isObject(item) && patchDirective in item) continue;
    const at = wanted.indexOf(identity(item), from);
    if (at < 0) return bad(`${JSON.stringify(identity(item))} is missing, or in another place than in the list`);
    from = at + 1;
  }
  return undefined;
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
