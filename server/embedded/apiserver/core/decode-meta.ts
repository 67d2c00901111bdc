import { unreadable } from '../managed-fields/given';
import { type Fields, fieldsOf, isFields, listOf, type ObjectMeta } from './objects';

const KNOWN = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/**
 * Reads the metadata of a body. Unknown fields are dropped and named in `unknown`; what the server alone may set is
 * taken as given (the caller replaces it). Returns the reason, in the decoder's words, when it cannot be read.
 */
export function decodeMeta(value: unknown, unknown: string[]): { metadata: Partial<ObjectMeta> } | { problem: string } {
  if (value === undefined || value === null) return { metadata: {} };
  if (!isFields(value)) return { problem: 'json: cannot unmarshal metadata into Go value of type v1.ObjectMeta' };
  const metadata: Fields = {};
  for (const [key, child] of Object.entries(value)) {
    if (!KNOWN.has(key)) unknown.push(`metadata.${key}`);
    else if (child !== null && key !== 'selfLink') metadata[key] = child;
  }
  for (const key of ['labels', 'annotations'] as const) {
    const map = metadata[key];
    if (map === undefined) continue;
    if (!isFields(map)) return { problem: unmarshal(map, `${key} of type map[string]string`) };
    const wrong = Object.values(map).find((item) => typeof item !== 'string' && item !== null);
    if (wrong !== undefined) return { problem: unmarshal(wrong, `${key} of type string`) };
    // What is null is as good as empty.
    if (Object.keys(map).length === 0) delete metadata[key];
    else metadata[key] = Object.fromEntries(Object.entries(map).map(([name, item]) => [name, item ?? '']));
  }
  for (const key of ['name', 'namespace', 'generateName', 'uid', 'resourceVersion'] as const) {
    const text = metadata[key];
    if (text !== undefined && typeof text !== 'string') return { problem: unmarshal(text, `${key} of type string`) };
  }
  for (const [key, type] of [
    ['finalizers', 'string'],
    ['ownerReferences', 'v1.OwnerReference'],
  ] as const) {
    const list = metadata[key];
    if (list === undefined) continue;
    if (!Array.isArray(list)) return { problem: unmarshal(list, `${key} of type []${type}`) };
    const isRight = (item: unknown) => item === null || (type === 'string' ? typeof item === 'string' : isFields(item));
    const wrong = list.find((item) => !isRight(item));
    if (wrong !== undefined) return { problem: unmarshal(wrong, `${key} of type ${type}`) };
    if (list.length === 0) delete metadata[key];
    else metadata[key] = list.map((item: unknown) => item ?? (type === 'string' ? '' : {}));
  }
  for (const owner of listOf(metadata, 'ownerReferences')) {
    for (const [field, type] of OWNER_FIELDS) {
      const given = fieldsOf({ owner }, 'owner')[field] ?? undefined;
      if (given === undefined || typeof given === (type === 'bool' ? 'boolean' : 'string')) continue;
      return { problem: unmarshal(given, `ownerReferences.${field} of type ${type}`, 'OwnerReference') };
    }
  }
  const { managedFields = [] } = metadata;
  if (!Array.isArray(managedFields)) {
    return { problem: unmarshal(managedFields, 'managedFields of type []v1.ManagedFieldsEntry') };
  }
  const wrong = unreadable(managedFields, unknown);
  if (wrong?.field !== undefined) {
    return { problem: unmarshal(wrong.value, `managedFields.${wrong.field} of type string`, 'ManagedFieldsEntry') };
  }
  if (wrong !== undefined) return { problem: unmarshal(wrong.value, 'managedFields of type v1.ManagedFieldsEntry') };
  return { metadata: metadata as Partial<ObjectMeta> };
}

const OWNER_FIELDS = [
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['name', 'string'],
  ['uid', 'types.UID'],
  ['controller', 'bool'],
  ['blockOwnerDeletion', 'bool'],
] as const;

function unmarshal(value: unknown, target: string, struct = 'ObjectMeta'): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${target}`;
}
