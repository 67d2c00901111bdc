import { deepEqual, type Fields, isFields } from './objects';
import { badRequest } from './status';

/** The merge key of a list of objects, by the name of the field that holds it (core/v1 field tags). */
const MERGE_KEYS: Record<string, string> = {
  addresses: 'type',
  conditions: 'type',
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  hostIPs: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  podIPs: 'ip',
  ports: 'containerPort',
  resourceClaims: 'name',
  secrets: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

/** Lists of plain values that are merged instead of replaced. */
const MERGED_SETS = new Set(['finalizers', 'podCIDRs']);

const ORDER = '$setElementOrder/';
const DELETE_FROM = '$deleteFromPrimitiveList/';

/** Strategic merge patch for the core kinds. */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  if (patch.$patch === 'replace') return without(patch, '$patch');
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
      result[key] = mergeList(key, result[key], value);
    } else {
      result[key] = strategicMergePatch(result[key], value);
    }
  }
  for (const [key, order] of Object.entries(patch)) {
    if (key.startsWith(ORDER) && Array.isArray(order)) reorder(result, key.slice(ORDER.length), order);
  }
  return result;
}

function without(fields: Fields, key: string): Fields {
  const { [key]: _dropped, ...rest } = fields;
  return rest;
}

function mergeList(field: string, target: unknown, patch: unknown[]): unknown[] {
  const before = Array.isArray(target) ? target : [];
  if (MERGED_SETS.has(field)) return [...before, ...patch.filter((item) => !before.includes(item))];
  const mergeKey = MERGE_KEYS[field];
  if (mergeKey === undefined) return patch;
  if (patch.some((item) => isFields(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !(isFields(item) && item.$patch === 'replace'));
  }
  const result = [...before];
  for (const item of patch) {
    if (!isFields(item) || item[mergeKey] === undefined) {
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
    }
    const index = result.findIndex((existing) => isFields(existing) && deepEqual(existing[mergeKey], item[mergeKey]));
    if (item.$patch === 'delete') {
      if (index >= 0) result.splice(index, 1);
    } else if (index >= 0) result[index] = strategicMergePatch(result[index], item);
    else result.push(strategicMergePatch({}, item));
  }
  return result;
}

function reorder(result: Fields, field: string, order: unknown[]): void {
  const list = result[field];
  if (!Array.isArray(list)) return;
  const mergeKey = MERGE_KEYS[field];
  const identity = (item: unknown) => (mergeKey !== undefined && isFields(item) ? item[mergeKey] : item);
  const wanted = order.map(identity);
  const rank = (item: unknown) => {
    const index = wanted.findIndex((value) => deepEqual(value, identity(item)));
    return index < 0 ? wanted.length : index;
  };
  result[field] = [...list].sort((a, b) => rank(a) - rank(b));
}
