import type { KindDefinition } from '../core/kind-definition';
import { apiVersionOf } from '../core/kind-definition';
import { deepEqual, type KubeObject } from '../core/objects';
import { timestamp } from '../core/storage';
import { compare } from './compare';
import { type FieldSet, isEmpty, subtract, union, without } from './field-set';
import { shapeOf } from './shape';

/** Who wrote which fields last, as in `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  /** When a value in it changed last; absent as long as nothing but the owner has. */
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: FieldSet;
  subresource?: string;
}

/** Who writes, and through what. */
export interface Manager {
  name: string;
  /** '' for the object itself. */
  subresource: string;
}

/** What the server sets belongs to nobody. */
const NOBODYS: readonly (readonly string[])[] = [
  ['f:apiVersion'],
  ['f:kind'],
  ...[
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'managedFields',
    'selfLink',
  ].map((field) => ['f:metadata', `f:${field}`]),
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'].map((field) => ['f:metadata', `f:${field}`]),
];

/** The fields of a set that somebody can own; through a subresource that is only its part. */
export function ownable(set: FieldSet, kind: KindDefinition, subresource: string): FieldSet {
  // Having metadata at all is nobody's doing.
  const owned = subtract(without(set, NOBODYS), { 'f:metadata': {} });
  if (subresource === 'status')
    return without(
      owned,
      Object.keys(owned)
        .filter((field) => field !== 'f:status')
        .map((field) => [field]),
    );
  return kind.subresources.includes('status') ? without(owned, [['f:status']]) : owned;
}

/** The user's own word for itself, or what its client calls itself. */
export function managerName(fieldManager: string | null, userAgent: string): string {
  return (fieldManager || userAgent.split('/')[0] || 'unknown').slice(0, 128);
}

export const sameManager = (entry: ManagedFieldsEntry, { name, subresource }: Manager, operation: string): boolean =>
  entry.manager === name && (entry.subresource ?? '') === subresource && entry.operation === operation;

export function entryOf(
  kind: KindDefinition,
  { name, subresource }: Manager,
  operation: 'Apply' | 'Update',
  fieldsV1: FieldSet,
): ManagedFieldsEntry {
  return {
    manager: name,
    operation,
    apiVersion: apiVersionOf(kind),
    time: timestamp(),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource === '' ? {} : { subresource }),
  };
}

/** Entries in the order of the API; one whose fields are as before keeps its time, unless it is the writer's own. */
export function settled(
  entries: readonly ManagedFieldsEntry[],
  before: readonly ManagedFieldsEntry[],
  own: ManagedFieldsEntry,
): ManagedFieldsEntry[] {
  const kept = entries
    .filter(({ fieldsV1 }) => !isEmpty(fieldsV1))
    .map((entry) => {
      const manager = { name: entry.manager, subresource: entry.subresource ?? '' };
      const old = before.find((each) => sameManager(each, manager, entry.operation));
      return entry !== own && old !== undefined && deepEqual(old.fieldsV1, entry.fieldsV1) ? old : entry;
    });
  const rank = (entry: ManagedFieldsEntry) =>
    [entry.operation, entry.time ?? '', entry.manager, entry.subresource ?? ''].join('\0');
  return kept.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Who owns what after a write that was no apply: the writer what it changed, the others what is left of theirs. */
export function managersAfter(
  kind: KindDefinition,
  before: KubeObject | undefined,
  after: KubeObject,
  manager: Manager,
  old: readonly ManagedFieldsEntry[],
): ManagedFieldsEntry[] {
  // Nobody counts any more once all have been forgotten, until somebody applies.
  if (before !== undefined && old.length === 0) return [];
  const { changed, removed } = compare(before ?? {}, after, shapeOf(kind));
  const gone = union(changed, removed);
  const mine = old.find((entry) => sameManager(entry, manager, 'Update'));
  const others = old
    .filter((entry) => entry !== mine)
    .map((entry) => ({ ...entry, fieldsV1: subtract(entry.fieldsV1, gone) }));
  // What a Scale changes is nobody's afterwards.
  const part = manager.subresource === 'scale' ? {} : ownable(changed, kind, manager.subresource);
  const fields = union(subtract(mine?.fieldsV1 ?? {}, removed), part);
  // Its time is that of the last change of a field or of its value.
  const same = mine !== undefined && isEmpty(part) && deepEqual(fields, mine.fieldsV1);
  const own = same ? mine : entryOf(kind, manager, 'Update', fields);
  return settled([...others, own], old, own);
}
