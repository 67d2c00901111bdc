import { isObject } from '../json-diff';

/**
 * Which lists of a PodTemplateSpec a strategic merge patch merges item by item, by the name of the field, and the field of
 * an item that tells it from the others (patchStrategy and patchMergeKey of k8s.io/api/core/v1 at 0.35). No two fields of a
 * template share a name and differ in this. Every other list is one value: tolerations, command, args, envFrom, …
 */
const mergeKeys: Readonly<Record<string, string | undefined>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  imagePullSecrets: 'name',
  resourceClaims: 'name',
  schedulingGates: 'name',
  env: 'name',
  ports: 'containerPort',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  ownerReferences: 'uid',
};

export const mergeKeyOf = (field: string): string | undefined =>
  Object.hasOwn(mergeKeys, field) ? mergeKeys[field] : undefined;

/** Maps of a Pod template: their keys are the user's own, and Go does not write an empty one. */
const maps: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'matchLabels', 'nodeSelector'],
  ...['requests', 'limits', 'overhead', 'volumeAttributes'],
]);

export const isMap = (field: string): boolean => maps.has(field);

/** Go writes these of a template even where nothing is in them, so that a patch on them never meets nothing. */
export const isAlwaysThere = (field: string): boolean =>
  field === 'metadata' || field === 'spec' || field === 'resources';

/** Lists of plain values that are united instead of replaced. */
export const isMergedSet = (field: string): boolean => field === 'finalizers';

/** In place of a list item or an object: what shall become of it. */
export const patchDirective = '$patch';
/** Beside a list: the order its items shall have. */
export const orderPrefix = '$setElementOrder/';
/** Beside a list of plain values: those that shall go. */
export const deleteFromPrefix = '$deleteFromPrimitiveList/';
/** In an object: its only fields afterwards. */
export const retainKeys = '$retainKeys';

export const isDirective = (key: string): boolean =>
  key === patchDirective || key === retainKeys || key.startsWith(orderPrefix) || key.startsWith(deleteFromPrefix);

/** The values alone: nulls and directives are none and go, what stands beside them stays. */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return isObject(value) ? plainFields(value) : value;
}

export function plainFields(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== null && !isDirective(key)) setField(fields, key, plainValue(item));
  }
  return fields;
}

/** Also a key that is called `__proto__` is one; undefined takes it away. */
export function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete fields[key];
  else Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

/** As people write it: `spec.containers[python].env[2]`. */
export function fieldPath(parent: string, field: string): string {
  return parent === '' ? field : `${parent}.${field}`;
}
