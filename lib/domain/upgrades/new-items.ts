import { isObject } from '../json-diff';
import { fieldPath, mergeKeyOf, patchDirective } from './merge-keys';
import type { MergeProblem } from './patch-check';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A directive inside an item that the template does not have. The merge takes such an item as it is and the controller drops
 * the directive alone: `$patch: delete` of a variable adds an empty one. Where the whole list is new it is left out instead.
 */
export function directiveInNewItem(template: Fields, patch: Fields, path = ''): MergeProblem | undefined {
  for (const [key, value] of Object.entries(patch)) {
    const old = Object.hasOwn(template, key) ? template[key] : undefined;
    const at = fieldPath(path, key);
    const found =
      isObject(value) && isObject(old)
        ? directiveInNewItem(old, value, at)
        : Array.isArray(value) && Array.isArray(old)
          ? inItems(old, value, mergeKeyOf(key), at)
          : undefined;
    if (found) return found;
  }
  return undefined;
}

function inItems(old: unknown[], items: unknown[], key: string | undefined, path: string): MergeProblem | undefined {
  // A list that is replaced is merged with nothing, and takes its items as they are as well.
  const replaced = items.some((item) => isObject(item) && item[patchDirective] === 'replace');
  for (const item of items) {
    if (key === undefined || !isObject(item) || patchDirective in item) continue;
    const there = replaced ? undefined : old.find((each) => isObject(each) && each[key] === item[key]);
    const at = `${path}[${String(item[key])}]`;
    if (isObject(there)) {
      const found = directiveInNewItem(there, item, at);
      if (found) return found;
    } else if (holdsDirective(item)) {
      return {
        path: at,
        code: 'badDirective',
        message: `no such item is there: ${patchDirective} within it has no meaning`,
      };
    }
  }
  return undefined;
}

function holdsDirective(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return patchDirective in value || Object.values(value).some(holdsDirective);
}
