import { type StructuralSchema, schemaOfField } from '../schema/structural-schema';
import { deepEqual, type Fields, isFields, own, setOwn } from './objects';
import { StatusError } from './status';

const ORDER = '$setElementOrder/';
const DELETE_FROM = '$deleteFromPrimitiveList/';

/** The field that tells the items of a list apart; `set` where values are merged, undefined where the list is replaced. */
function mergeKeyOf(list: StructuralSchema): string | undefined {
  if (list['x-kubernetes-patch-strategy']?.includes('merge') !== true) return undefined;
  return list['x-kubernetes-patch-merge-key'] ?? 'set';
}

/** Where a schema says nothing, fields are merged and lists replaced. */
const ANY: StructuralSchema = {};
const fieldOf = (schema: StructuralSchema, name: string) => schemaOfField(schema, name) ?? ANY;

/** A strategic merge patch. @throws StatusError 500 for an item without the key of its list */
export function strategicMergePatch(target: unknown, patch: unknown, schema: StructuralSchema): unknown {
  if (!isFields(patch)) return patch;
  if (patch.$patch === 'replace') return isFields(target) ? without(patch, '$patch') : {};
  if (patch.$patch === 'delete') return {};
  const result: Fields = isFields(target) ? { ...target } : {};
  const { $retainKeys: retained } = patch;
  if (Array.isArray(retained)) {
    for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key];
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(DELETE_FROM) && Array.isArray(value)) {
      const field = key.slice(DELETE_FROM.length);
      const list = result[field];
      if (Array.isArray(list)) result[field] = list.filter((item) => !value.includes(item));
    } else if (key.startsWith('$')) {
    } else if (value === null) {
      delete result[key];
    } else if (Array.isArray(value)) {
      setOwn(result, key, mergeList(own(result, key), value, fieldOf(schema, key)));
    } else {
      setOwn(result, key, strategicMergePatch(own(result, key), value, fieldOf(schema, key)));
    }
  }
  for (const [key, order] of Object.entries(patch)) {
    if (key.startsWith(ORDER) && Array.isArray(order)) reorder(result, key.slice(ORDER.length), order, schema);
  }
  return result;
}

/** A patch as Go prints it. */
export function goMap(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (!isFields(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goMap(value[key])}`).join(' ')}]`;
}

function without(fields: Fields, key: string): Fields {
  const { [key]: _dropped, ...rest } = fields;
  return rest;
}

function mergeList(target: unknown, patch: unknown[], schema: StructuralSchema): unknown[] {
  const before = Array.isArray(target) ? target : [];
  const mergeKey = mergeKeyOf(schema);
  if (mergeKey === 'set') return [...patch, ...before.filter((item) => !patch.includes(item))];
  if (mergeKey === undefined) return patch;
  if (patch.some((item) => isFields(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !(isFields(item) && item.$patch === 'replace'));
  }
  const same = (a: unknown, b: unknown) => isFields(a) && isFields(b) && deepEqual(a[mergeKey], b[mergeKey]);
  const merged: unknown[] = [];
  for (const item of patch) {
    if (!isFields(item) || item[mergeKey] === undefined) {
      throw new StatusError(500, `map: ${goMap(item)} does not contain declared merge key: ${mergeKey}`);
    }
    const existing = before.find((each) => same(each, item));
    if (item.$patch !== 'delete') merged.push(strategicMergePatch(existing ?? {}, item, schema.items ?? ANY));
  }
  return interleave(before, patch, merged, same);
}

/** Items keep the order they had; new ones come before those that the patch does not name. */
function interleave(
  before: readonly unknown[],
  patch: readonly unknown[],
  merged: readonly unknown[],
  same: (a: unknown, b: unknown) => boolean,
): unknown[] {
  const others = before.filter((each) => !patch.some((item) => same(each, item)));
  const place = (item: unknown) => before.findIndex((each) => same(each, item));
  const left = [...merged];
  const result: unknown[] = [];
  while (left.length > 0 || others.length > 0) {
    const [item, other] = [left[0], others[0]];
    const otherFirst =
      left.length === 0 || (others.length > 0 && place(item) >= 0 && place(item) > before.indexOf(other));
    result.push(otherFirst ? others.shift() : left.shift());
  }
  return result;
}

function reorder(result: Fields, field: string, order: unknown[], schema: StructuralSchema): void {
  const list = result[field];
  if (!Array.isArray(list)) return;
  const mergeKey = mergeKeyOf(fieldOf(schema, field));
  const identity = (item: unknown) => (mergeKey !== undefined && isFields(item) ? item[mergeKey] : item);
  const wanted = order.map(identity);
  const rank = (item: unknown) => {
    const index = wanted.findIndex((value) => deepEqual(value, identity(item)));
    return index < 0 ? wanted.length : index;
  };
  result[field] = [...list].sort((a, b) => rank(a) - rank(b));
}
