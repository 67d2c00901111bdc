import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import type { Template } from '../templates';
import { brokenContainers } from './broken-containers';
import {
  deleteFromPrefix,
  isAlwaysThere,
  isDirective,
  isMap,
  isMergedSet,
  mergeKeyOf,
  orderPrefix,
  patchDirective,
  plainFields,
  plainValue,
  retainKeys,
  setField,
} from './merge-keys';
import { removalInNewItem } from './new-items';
import { patchProblem } from './patch-check';

type Fields = Record<string, unknown>;
export type Merged = { template: Template } | { problem: PatchFault };

/**
 * What the SandboxUpdateOps controller makes of a Pod template (pkg/controller/sandboxupdateops/patch.go at 0b72c83a, with
 * apimachinery's strategic merge): `template` is not touched. Where the merge leaves a null or a directive behind, the
 * controller drops it when it reads the result, and so it is not here; where it would read it as a value, it is a problem.
 */
export function mergeTemplate(template: Template, patch: unknown): Merged {
  const problem = patchProblem(patch);
  if (problem) return { problem };
  const fields = isObject(patch) ? withoutNullContainers(patch) : {};
  const stray = removalInNewItem(template, fields);
  if (stray) return { problem: stray };
  const merged = mergeObject(template, fields);
  const broken = brokenContainers(template, merged);
  return broken ? { problem: broken } : { template: merged };
}

/** Typed clients send `containers: null` where they mean nothing (domain 6.5). */
function withoutNullContainers(patch: Fields): Fields {
  if (!isObject(patch.spec) || patch.spec.containers !== null) return patch;
  const { spec, ...others } = patch;
  const { containers: _null, ...rest } = patch.spec;
  return Object.keys(rest).length === 0 ? others : { ...others, spec: rest };
}

function mergeObject(original: Fields, patch: Fields): Fields {
  if (patch[patchDirective] === 'delete') return {};
  if (patch[patchDirective] === 'replace') return plainFields(patch);
  const retained = patch[retainKeys];
  const result = Array.isArray(retained)
    ? Object.fromEntries(Object.entries(original).filter(([key]) => retained.includes(key)))
    : { ...original };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(deleteFromPrefix)) deleteFrom(result, key.slice(deleteFromPrefix.length), value);
    if (isDirective(key)) continue;
    if (value === null) delete result[key];
    else setField(result, key, mergeValue(key, own(result, key), value));
  }
  for (const [key, order] of Object.entries(patch)) {
    const field = key.slice(orderPrefix.length);
    const before = own(original, field);
    if (key.startsWith(orderPrefix) && Array.isArray(order)) reorder(result, field, order, before);
  }
  return result;
}

/** Undefined: the field is not there afterwards. The controller reads the template before: empty lists and maps are not there. */
function mergeValue(field: string, original: unknown, patch: unknown): unknown {
  if (isObject(patch)) {
    const there = isObject(original) ? original : isAlwaysThere(field) ? {} : undefined;
    const isEmptyMap = there !== undefined && isMap(field) && Object.keys(there).length === 0;
    return there && !isEmptyMap ? mergeObject(there, patch) : brandNew(patch);
  }
  if (!Array.isArray(patch)) return patch;
  if (!Array.isArray(original) || original.length === 0) return brandNew(patch);
  const mergeKey = mergeKeyOf(field);
  if (mergeKey !== undefined) return mergeItems(original.filter(isObject), patch.filter(isObject), mergeKey);
  if (!isMergedSet(field)) return plainValue(patch);
  const named = [...new Set(patch)];
  return interleave(
    named,
    original.filter((item) => !named.includes(item)),
    original,
    (item) => item,
  );
}

/** Nothing is there to be merged with: what carries a directive is left out as a whole, a replacement too. */
function brandNew(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !hasDirective(item)).map(brandNew);
  if (!isObject(value)) return value;
  if (hasDirective(value)) return undefined;
  const fields: Fields = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null || isDirective(key)) continue;
    setField(fields, key, brandNew(item));
  }
  return fields;
}

const hasDirective = (value: unknown): boolean => isObject(value) && Object.hasOwn(value, patchDirective);

function mergeItems(original: Fields[], patch: Fields[], mergeKey: string): unknown[] {
  const plain = patch.filter((item) => !hasDirective(item));
  if (patch.some((item) => item[patchDirective] === 'replace')) return plain.map(plainFields);
  const deleted = patch.filter((item) => item[patchDirective] === 'delete').map((item) => item[mergeKey]);
  const kept = original.filter((item) => !deleted.includes(item[mergeKey]));
  const items = [...kept];
  for (const item of plain) {
    const at = items.findIndex((each) => each[mergeKey] === item[mergeKey]);
    const there = items[at];
    if (there === undefined) items.push(plainFields(item));
    else items[at] = mergeObject(there, item);
  }
  const identity = (item: unknown) => (isObject(item) ? item[mergeKey] : undefined);
  const order = plain.map(identity);
  const named = sortedBy(
    order,
    items.filter((item) => order.includes(item[mergeKey])),
    identity,
  );
  return interleave(
    named,
    items.filter((item) => !order.includes(item[mergeKey])),
    kept,
    identity,
  );
}

function sortedBy(
  order: readonly unknown[],
  items: readonly unknown[],
  identity: (item: unknown) => unknown,
): unknown[] {
  return [...items].sort((a, b) => order.indexOf(identity(a)) - order.indexOf(identity(b)));
}

/**
 * The items that the patch names, in its order, and those it does not, in theirs: one of the latter comes first only where
 * it did so before. What is new is nowhere before, and so it comes before all that are left.
 */
function interleave(
  named: readonly unknown[],
  others: readonly unknown[],
  before: readonly unknown[],
  identity: (item: unknown) => unknown,
): unknown[] {
  const place = new Map(before.map((item, index) => [identity(item), index]).reverse() as [unknown, number][]);
  const result: unknown[] = [];
  const rest = [...others];
  for (const item of named) {
    const at = place.get(identity(item));
    while (at !== undefined && rest.length > 0 && (place.get(identity(rest[0])) ?? at) < at) result.push(rest.shift());
    result.push(item);
  }
  return [...result, ...rest];
}

function deleteFrom(result: Fields, field: string, values: unknown): void {
  const list = own(result, field);
  if (Array.isArray(list) && Array.isArray(values))
    setField(
      result,
      field,
      list.filter((item) => !values.includes(item)),
    );
}

/** By the order that is asked for; what it does not name keeps its place among the rest. */
function reorder(result: Fields, field: string, order: unknown[], before: unknown): void {
  const list = own(result, field);
  if (!Array.isArray(list)) return;
  const mergeKey = mergeKeyOf(field);
  const identity = (item: unknown) => (mergeKey !== undefined && isObject(item) ? item[mergeKey] : item);
  const wanted = order.map(identity);
  const named = sortedBy(
    wanted,
    list.filter((item) => wanted.includes(identity(item))),
    identity,
  );
  const others = list.filter((item) => !wanted.includes(identity(item)));
  setField(result, field, interleave(named, others, Array.isArray(before) ? before : [], identity));
}

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);
