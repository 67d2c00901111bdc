import type { JsonPatchOp } from '@/lib/contracts/writes';
import { isObject, sameJson } from './json-diff';

/** RFC 6902 as the API server applies it: the first operation that does not hold refuses the whole patch. */
export function applyPatch(document: unknown, patch: JsonPatchOp[]): unknown {
  const root = { root: structuredClone(document) };
  for (const { op, path, value } of patch) {
    const keys = [
      'root',
      ...path
        .split('/')
        .slice(1)
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    ];
    const last = keys.pop() ?? '';
    let parent: unknown = root;
    for (const key of keys)
      parent = Array.isArray(parent) ? parent[Number(key)] : (parent as Record<string, unknown>)[key];
    if (Array.isArray(parent)) {
      const i = Number(last);
      if (op !== 'add' && !(i < parent.length)) throw new Error(`${op} ${path}: no such entry`);
      if (op === 'test' && !sameJson(parent[i], value)) throw new Error(`test ${path} failed`);
      if (op === 'add') parent.splice(i, 0, value);
      if (op === 'replace') parent[i] = value;
      if (op === 'remove') parent.splice(i, 1);
    } else if (isObject(parent)) {
      if (op !== 'add' && !Object.hasOwn(parent, last)) throw new Error(`${op} ${path}: no such key`);
      if (op === 'test' && !sameJson(parent[last], value)) throw new Error(`test ${path} failed`);
      if (op === 'remove') delete parent[last];
      if (op === 'add' || op === 'replace') parent[last] = value;
    } else {
      throw new Error(`${op} ${path}: no parent`);
    }
  }
  return root.root;
}
