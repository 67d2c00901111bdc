import type { ManagedFieldsEntry } from '../managed-fields/managers';

/** A JSON object whose fields are not known. */
export type Fields = { [field: string]: unknown };

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  generateName?: string;
  generation?: number;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
}

/** A stored object. Never changed in place: every write makes a new one. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `field`, or an empty one where there is none. */
export function fieldsOf(parent: unknown, ...path: string[]): Fields {
  const value = at(parent, path);
  return isFields(value) ? value : {};
}

/** The list at a path, or an empty one where there is none. */
export function listOf(parent: unknown, ...path: string[]): unknown[] {
  const value = at(parent, path);
  return Array.isArray(value) ? value : [];
}

/** The text at a path, or '' where there is none. */
export function textOf(parent: unknown, ...path: string[]): string {
  const value = at(parent, path);
  return typeof value === 'string' ? value : '';
}

/** The number at a path, or undefined where there is none. */
export function numberOf(parent: unknown, ...path: string[]): number | undefined {
  const value = at(parent, path);
  return typeof value === 'number' ? value : undefined;
}

export function at(parent: unknown, path: readonly string[]): unknown {
  let value = parent;
  for (const field of path) {
    if (!isFields(value)) return undefined;
    value = own(value, field);
  }
  return value;
}

/** The value of a field that a client may have named: what every JavaScript object inherits does not count. */
export function own<T>(fields: { readonly [field: string]: T }, field: string): T | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** Sets a field that a client may have named: `__proto__` is a name like any other. */
export function setOwn(fields: Fields, field: string, value: unknown): void {
  if (field !== '__proto__') fields[field] = value;
  else Object.defineProperty(fields, field, { value, enumerable: true, configurable: true, writable: true });
}

/** A copy of `parent` with the value at `path` replaced, sharing everything else. */
export function withValue(parent: Fields, path: readonly string[], value: unknown): Fields {
  const [field, ...rest] = path;
  if (field === undefined) return parent;
  return { ...parent, [field]: rest.length === 0 ? value : withValue(fieldsOf(parent, field), rest, value) };
}

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
  );
}

/** A deep copy of a JSON value. */
export function copy<T>(value: T): T;
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item));
  if (!isFields(value)) return value;
  const result: Fields = {};
  for (const key of Object.keys(value)) setOwn(result, key, copy(value[key]));
  return result;
}

/** JSON with sorted keys, as Go writes a map. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    isFields(child) ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1))) : child,
  );
}
