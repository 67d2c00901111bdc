import { idOf, type KindDefinition } from './kind-definition';
import type { KubeObject } from './objects';
import { Change, type Storage, Version } from './storage';

/** A second shape of objects that are stored as those of another kind. */
export interface OtherShape {
  /** The collection that has them. */
  id: string;
  shown(stored: KubeObject): KubeObject;
  stored(shown: KubeObject): KubeObject;
}

/** The collection in the storage that holds a kind's objects. */
export const collectionOf = (kind: KindDefinition): string => kind.storedAs?.id ?? idOf(kind);

/** A stored version in the shape of a kind. */
export function shownAs({ storedAs }: KindDefinition, version: Version): Version {
  if (storedAs === undefined) return version;
  return new Version(version.key, storedAs.shown(version.object), version.resourceVersion);
}

/** A stored change in the shape of a kind. */
export function changeShownAs(kind: KindDefinition, change: Change): Change {
  if (kind.storedAs === undefined) return change;
  const { type, version, previous } = change;
  return new Change(type, shownAs(kind, version), previous && shownAs(kind, previous));
}

/** Stores an object of a kind under the next resourceVersion. */
export function put(storage: Storage, kind: KindDefinition, key: string, object: KubeObject): KubeObject {
  const stored = kind.storedAs?.stored(object) ?? object;
  return shownAs(kind, storage.put(collectionOf(kind), key, stored)).object;
}
