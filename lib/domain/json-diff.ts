import type { JsonPatchOp } from '@/lib/contracts/writes';
import { holdsMask } from './redact';

export type Path = readonly (string | number)[];

/** RFC 6901. */
export function pointer(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** The value to be written holds a masked secret: sending it would overwrite the secret with dots. */
export class MaskedValueError extends Error {
  constructor(readonly path: string) {
    super(path);
    this.name = 'MaskedValueError';
  }
}

/**
 * JSON Patch from `before` to `after`, both rooted at `base`. All `test` operations come first and hold what was
 * seen: the old value of what is replaced or removed, the parent of what is added, name and index of list entries on
 * the way. What was masked cannot be tested and is left out of the tests. Lists of named entries are changed entry
 * by entry, so that siblings survive; other lists as a whole. Throws {@link MaskedValueError}.
 */
export function diffToPatch(before: unknown, after: unknown, base: Path): JsonPatchOp[] {
  const tests = new Map<string, unknown>();
  const changes: JsonPatchOp[] = [];
  walk(before, after, base, { tests, changes });
  return [...[...tests].map(([path, value]): JsonPatchOp => ({ op: 'test', path, value })), ...changes];
}

interface Patch {
  tests: Map<string, unknown>;
  changes: JsonPatchOp[];
}

function test(patch: Patch, path: Path, seen: unknown): void {
  if (!holdsMask(seen)) patch.tests.set(pointer(path), seen);
}

function write(patch: Patch, op: 'add' | 'replace', path: Path, value: unknown): void {
  if (holdsMask(value)) throw new MaskedValueError(pointer(path));
  patch.changes.push({ op, path: pointer(path), value });
}

function walk(before: unknown, after: unknown, path: Path, patch: Patch): void {
  if (sameJson(before, after)) return;
  if (isObject(before) && isObject(after)) {
    walkObject(before, after, path, patch);
  } else if (Array.isArray(before) && Array.isArray(after) && namedEntries(before, after)) {
    walkEntries(before, after, path, patch);
  } else {
    test(patch, path, before);
    write(patch, 'replace', path, after);
  }
}

function walkObject(before: Record<string, unknown>, after: Record<string, unknown>, path: Path, patch: Patch): void {
  for (const [key, value] of Object.entries(before)) {
    const at = [...path, key];
    if (Object.hasOwn(after, key)) {
      walk(value, after[key], at, patch);
    } else {
      test(patch, at, value);
      patch.changes.push({ op: 'remove', path: pointer(at) });
    }
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) continue;
    // RFC 6902 cannot test for absence, and `add` replaces what somebody else may have put there since.
    test(patch, path, before);
    write(patch, 'add', [...path, key], value);
  }
}

interface NamedEntries {
  before: string[];
  after: string[];
}

/** The names of both lists, when every entry has one of its own and those in both lists keep their order. */
function namedEntries(before: unknown[], after: unknown[]): NamedEntries | undefined {
  const a = namesOf(before);
  const b = namesOf(after);
  if (!a || !b) return undefined;
  const kept = a.filter((name) => b.includes(name));
  const keptAfter = b.filter((name) => a.includes(name));
  return kept.length > 0 && kept.every((name, i) => name === keptAfter[i]) ? { before: a, after: b } : undefined;
}

function namesOf(list: unknown[]): string[] | undefined {
  const names: string[] = [];
  for (const entry of list) {
    if (!isObject(entry) || typeof entry.name !== 'string') return undefined;
    names.push(entry.name);
  }
  return new Set(names).size === names.length ? names : undefined;
}

function walkEntries(before: unknown[], after: unknown[], path: Path, patch: Patch): void {
  const names = namedEntries(before, after);
  if (!names) return;
  const sameNames = names.before.length === names.after.length && names.before.every((n, i) => n === names.after[i]);
  if (!sameNames) test(patch, path, before);
  for (const [i, name] of names.before.entries()) {
    const entry = after[names.after.indexOf(name)];
    if (entry === undefined || sameJson(before[i], entry)) continue;
    test(patch, [...path, i, 'name'], name);
    walk(before[i], entry, [...path, i], patch);
  }
  // Changes above use the old indices; removal goes from the end, so that the indices before it stay right.
  for (const [i, name] of [...names.before.entries()].reverse()) {
    if (names.after.includes(name)) continue;
    test(patch, [...path, i, 'name'], name);
    test(patch, [...path, i], before[i]);
    patch.changes.push({ op: 'remove', path: pointer([...path, i]) });
  }
  for (const [i, name] of names.after.entries()) {
    if (!names.before.includes(name)) write(patch, 'add', [...path, i], after[i]);
  }
}
