import { jsonType } from '../wire/json-problem';
import { copy, deepEqual, type Fields, isFields, own, setOwn } from './objects';
import { badRequest, rejectedPatch } from './status';

/** RFC 7386: null removes, lists are replaced, everything untouched is shared with the target. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setOwn(result, key, mergePatch(own(result, key), value));
  }
  return result;
}

/** RFC 6902. Any operation that fails rejects the whole patch, without saying which. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  let document = copy(target);
  for (const operation of patch) {
    if (!isFields(operation) || typeof operation.path !== 'string') throw rejectedPatch();
    document = apply(document, operation, pointer(operation.path));
  }
  return document;
}

function pointer(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) throw rejectedPatch();
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function apply(document: unknown, operation: Fields, path: string[]): unknown {
  switch (operation.op) {
    case 'test':
      if (!deepEqual(read(document, path), operation.value)) throw rejectedPatch();
      return document;
    case 'add':
      return write(document, path, copy(operation.value), 'add');
    case 'replace':
      return write(document, path, copy(operation.value), 'replace');
    case 'remove':
      return write(document, path, undefined, 'remove');
    case 'copy':
      return write(document, path, copy(read(document, fromOf(operation))), 'add');
    case 'move': {
      const from = fromOf(operation);
      const value = read(document, from);
      return write(write(document, from, undefined, 'remove'), path, value, 'add');
    }
    default:
      throw rejectedPatch();
  }
}

function fromOf(operation: Fields): string[] {
  if (typeof operation.from !== 'string') throw rejectedPatch();
  return pointer(operation.from);
}

function read(document: unknown, path: string[]): unknown {
  let value = document;
  for (const part of path) {
    value = Array.isArray(value) ? value[indexOf(value, part, false)] : isFields(value) ? own(value, part) : undefined;
    if (value === undefined) throw rejectedPatch();
  }
  return value;
}

function indexOf(list: unknown[], part: string, inserting: boolean): number {
  if (inserting && part === '-') return list.length;
  const index = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  if (index < 0 || index >= list.length + (inserting ? 1 : 0)) throw rejectedPatch();
  return index;
}

function write(document: unknown, path: string[], value: unknown, how: 'add' | 'replace' | 'remove'): unknown {
  const last = path.at(-1);
  if (last === undefined) {
    if (how === 'remove') throw rejectedPatch();
    return value;
  }
  const parent = read(document, path.slice(0, -1));
  if (Array.isArray(parent)) {
    const index = indexOf(parent, last, how === 'add');
    if (how === 'replace') parent[index] = value;
    else if (how === 'add') parent.splice(index, 0, value);
    else parent.splice(index, 1);
  } else if (isFields(parent)) {
    // To replace what is not there is to add it.
    if (how === 'remove' && own(parent, last) === undefined) throw rejectedPatch();
    if (how === 'remove') delete parent[last];
    else setOwn(parent, last, value);
  } else throw rejectedPatch();
  return document;
}
