import type { KindRegistry } from '../core/kind-registry';
import { fieldsOf, type KubeObject, listOf, textOf } from '../core/objects';
import { type Storage, timestamp } from '../core/storage';
import { kindsOf } from './custom-kinds';

const CRDS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Serves a kind for each CustomResourceDefinition in the storage, as they come and go. Returns how to stop. */
export function serveDefinitions(storage: Storage, kinds: KindRegistry): () => void {
  const serve = (definition: KubeObject) => {
    for (const kind of kindsOf(definition)) kinds.add(kind);
  };
  const definitions = storage.collection(CRDS);
  for (const { object } of definitions.items.values()) serve(object);
  return definitions.subscribe(({ type, version: { object }, previous }) => {
    const served = type === 'DELETED' ? [] : kindsOf(object).map((kind) => kind.version);
    if (type === 'DELETED') kinds.clear({ group: textOf(object, 'spec', 'group'), plural: pluralOf(object) });
    for (const kind of previous === undefined ? [] : kindsOf(previous.object)) {
      if (!served.includes(kind.version)) kinds.remove(kind);
    }
    if (type !== 'DELETED') serve(object);
    if (type === 'ADDED') setImmediate(() => establish(storage, object.metadata.name));
  });
}

const pluralOf = (definition: KubeObject) => textOf(definition, 'spec', 'names', 'plural');

/** A definition is accepted a moment after it was made. */
function establish(storage: Storage, name: string): void {
  const object = storage.collection(CRDS).items.get(name)?.object;
  if (object === undefined || Array.isArray(fieldsOf(object, 'status').conditions)) return;
  storage.put(CRDS, name, { ...object, status: establishedStatus(object) });
}

/** The status of a definition that nobody has looked at yet. */
export function pendingStatus(definition: KubeObject): object {
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: versionsOf(definition) };
}

const versionsOf = (definition: KubeObject) =>
  listOf(definition, 'spec', 'versions').map((version) => textOf(version, 'name'));

/** The status that the API server's own controllers give a definition: accepted and served at once. */
export function establishedStatus(definition: KubeObject): object {
  const now = timestamp();
  const names = fieldsOf(definition, 'spec', 'names');
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
    reason,
    message,
  });
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: names,
    storedVersions: versionsOf(definition),
  };
}
