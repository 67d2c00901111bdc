import 'server-only';
import type { JsonPatchOp } from '@/lib/contracts/writes';
import { isObject } from '@/lib/domain/json-diff';
import { holdsMask, mask, redactObject, redactText } from '@/lib/domain/redact';

/**
 * Puts back what was masked on the way to the browser, from the template as it is now: a masked text that is still
 * what the live one would be shown as stands for the live one. What cannot be put back keeps its mask, and is
 * refused later when it would be written.
 */
export function unmask<T>(value: T, live: unknown): T {
  return restored(value, live) as T;
}

function restored(value: unknown, live: unknown): unknown {
  if (!holdsMask(value)) return value;
  if (typeof value === 'string') {
    return typeof live === 'string' && (value === mask || value === redactText(live)) ? live : value;
  }
  if (Array.isArray(value)) return value.map((item, i) => restored(item, counterpart(item, i, live)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, restored(item, isObject(live) ? live[key] : undefined)]),
  );
}

/** Entries of lists belong together by name where they have one. */
function counterpart(item: unknown, index: number, live: unknown): unknown {
  if (!Array.isArray(live)) return undefined;
  if (isObject(item) && typeof item.name === 'string') {
    return live.find((entry) => isObject(entry) && entry.name === item.name);
  }
  return live[index];
}

/** The patch as it may be shown: values that the object's view would mask are masked here too. */
export function shownPatch(ops: readonly JsonPatchOp[], object: unknown): JsonPatchOp[] {
  return ops.map((op) => (op.value === undefined ? op : { ...op, value: shownAt(op.path, op.value, object) }));
}

/** A value redacted as if it stood at its place, because what is secret is told by the names around it. */
function shownAt(path: string, value: unknown, object: unknown): unknown {
  const keys = keysOf(path);
  let wrapped: unknown = value;
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const key = keys[depth] ?? '';
    if (!isIndex(key)) wrapped = { [key]: wrapped };
    else {
      const entry = valueAt(object, keys.slice(0, depth + 1));
      wrapped = [isObject(entry) && isObject(wrapped) ? { name: entry.name, ...wrapped } : wrapped];
    }
  }
  return keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[0];
    return isObject(at) ? at[key] : undefined;
  }, redactObject(wrapped));
}

const isIndex = (key: string) => /^(\d+|-)$/.test(key);

const keysOf = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a JSON pointer (RFC 6901), undefined where there is none. */
export function pointedAt(object: unknown, path: string): unknown {
  return valueAt(object, keysOf(path));
}

function valueAt(object: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, object);
}
