import { type ManagedFieldsEntry, managerName, managersAfter } from '../managed-fields/managers';
import type { KubeObject } from './objects';
import type { ResourceRequest } from './requests';

/** Who owns which field after a write, by what it did and who owned what before. */
export type Owners = (
  old: KubeObject | undefined,
  object: KubeObject,
  before: readonly ManagedFieldsEntry[],
) => ManagedFieldsEntry[];

/** The writer owns what it changes. */
export function ownersOf({ target, query, userAgent, subresource }: ResourceRequest): Owners {
  const manager = { name: managerName(query.get('fieldManager'), userAgent), subresource };
  return (old, object, before) => managersAfter(target.kind, old, object, manager, before);
}

export function withOwners(
  object: KubeObject,
  old: KubeObject | undefined,
  owners: Owners,
  before: readonly ManagedFieldsEntry[] = [],
): KubeObject {
  const { managedFields: _before, ...metadata } = object.metadata;
  const managedFields = owners(old, object, before);
  return { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } };
}
