import { deepEqual, isFields } from '../core/objects';
import { branch, EMPTY, type FieldSet, union } from './field-set';
import { partsOf, type Shape } from './shape';

/** What an applied configuration says: its leaves, and the items of its lists. */
export function ownedBy(value: unknown, shape: Shape): FieldSet {
  const parts = partsOf(value, shape);
  if (parts === undefined || parts.size === 0) return EMPTY;
  return branch(
    false,
    [...parts].map(([element, part]) => [element, itemOf(element, ownedBy(part.value, part.shape))]),
  );
}

/** An item of a list is owned besides its fields. */
const itemOf = (element: string, node: FieldSet): FieldSet =>
  element.startsWith('k:')
    ? branch(
        true,
        Object.entries(node).filter(([name]) => name !== '.'),
      )
    : node;

/** All fields of a value, those that hold others too. */
function everything(value: unknown, shape: Shape): FieldSet {
  const parts = partsOf(value, shape);
  if (parts === undefined) return EMPTY;
  return branch(
    true,
    [...parts].map(([element, part]) => [element, everything(part.value, part.shape)]),
  );
}

export interface Comparison {
  /** Fields that are new or have another value. */
  changed: FieldSet;
  removed: FieldSet;
}

/** What a write has done to an object. */
export function compare(before: unknown, after: unknown, shape: Shape): Comparison {
  const changed: [string, FieldSet][] = [];
  const removed: [string, FieldSet][] = [];
  const [old, now] = [partsOf(before, shape), partsOf(after, shape)];
  if (old === undefined || now === undefined || isFields(before) !== isFields(after)) {
    return { changed: EMPTY, removed: EMPTY };
  }
  for (const [element, part] of now) {
    const previous = old.get(element);
    if (previous === undefined) {
      changed.push([element, everything(part.value, part.shape)]);
      continue;
    }
    if (deepEqual(previous.value, part.value)) continue;
    const divided = partsOf(previous.value, part.shape) !== undefined && partsOf(part.value, part.shape) !== undefined;
    if (!divided) {
      changed.push([element, everything(part.value, part.shape)]);
      continue;
    }
    const deeper = compare(previous.value, part.value, part.shape);
    if (Object.keys(deeper.changed).length > 0) changed.push([element, deeper.changed]);
    if (Object.keys(deeper.removed).length > 0) removed.push([element, deeper.removed]);
  }
  for (const [element, part] of old) {
    if (!now.has(element)) removed.push([element, everything(part.value, part.shape)]);
  }
  return { changed: Object.fromEntries(changed), removed: Object.fromEntries(removed) };
}

/** What one applied before, no longer says, and nobody else owns goes. */
export function prune(
  value: unknown,
  last: FieldSet,
  now: FieldSet,
  others: readonly FieldSet[],
  shape: Shape,
): unknown {
  const parts = partsOf(value, shape);
  if (parts === undefined) return value;
  const kept = [...parts].flatMap(([element, part]) => {
    const before = last[element];
    if (before === undefined) return [{ element, value: part.value }];
    const owners = others.flatMap((set) => set[element] ?? []);
    const mine = now[element];
    if (mine === undefined && owners.length === 0) return [];
    return [{ element, value: prune(part.value, before, mine ?? EMPTY, owners, part.shape) }];
  });
  if (Array.isArray(value)) return kept.map((item) => item.value);
  return Object.fromEntries(kept.map((item) => [item.element.slice(2), item.value]));
}

/** A value with an applied one laid over it; lists keep the order of what is applied. */
export function overlay(live: unknown, applied: unknown, shape: Shape): unknown {
  const [old, now] = [partsOf(live, shape), partsOf(applied, shape)];
  if (old === undefined || now === undefined || Array.isArray(live) !== Array.isArray(applied)) return applied;
  const merged = (element: string) => {
    const [before, after] = [old.get(element), now.get(element)];
    if (before === undefined || after === undefined) return (after ?? before)?.value;
    return overlay(before.value, after.value, after.shape);
  };
  if (!Array.isArray(live)) {
    return Object.fromEntries([...new Set([...old.keys(), ...now.keys()])].map((key) => [key.slice(2), merged(key)]));
  }
  const left = [...old.keys()];
  const right = [...now.keys()];
  const result: string[] = [];
  while (left.length > 0 || right.length > 0) {
    const [a, b] = [left[0], right[0]];
    if (a !== undefined && result.includes(a)) left.shift();
    else if (b !== undefined && (result.includes(b) || a === b)) {
      if (a === b) result.push(b);
      right.shift();
    } else if (a !== undefined && !now.has(a)) result.push(left.shift() ?? a);
    else if (b !== undefined) result.push(right.shift() ?? b);
  }
  return result.map(merged);
}

export const unionOf = (sets: readonly FieldSet[]): FieldSet => sets.reduce(union, EMPTY);
