import type { KindDefinition } from './kind-definition';
import { collectionOf, shownAs } from './shapes';
import { notFound } from './status';
import { keyOf, type Storage, type Version } from './storage';

/** Where a request points: an object of a kind, or the whole kind when `name` is ''. */
export interface Target {
  kind: KindDefinition;
  /** '' for cluster-scoped kinds and for all namespaces. */
  namespace: string;
  name: string;
}

/** The object that a target names. @throws StatusError 404 where there is none */
export function read(storage: Storage, target: Target): Version {
  const version = readOrNothing(storage, target);
  if (version === undefined) throw notFound(target.kind, target.name);
  return version;
}

export function readOrNothing(storage: Storage, { kind, namespace, name }: Target): Version | undefined {
  const version = storage.collection(collectionOf(kind)).items.get(keyOf(namespace, name));
  return version && shownAs(kind, version);
}
