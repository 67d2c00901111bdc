import { type Cluster, mutate } from './admission';
import type { DraftObject } from './decode';
import { generateName } from './names';
import type { KubeObject, ObjectMeta } from './objects';
import { type Owners, withOwners } from './owners';
import { readOrNothing, type Target } from './reads';
import { put } from './shapes';
import { alreadyExists, badRequest, StatusError } from './status';
import { keyOf, newUid, timestamp } from './storage';
import { validateObject } from './validation';

/** Creates an object; a dry run returns it with a uid and without a resourceVersion. */
export function create(
  cluster: Cluster,
  target: Target,
  draft: DraftObject,
  dryRun: boolean,
  owners: Owners,
): KubeObject {
  const { kind } = target;
  const metadata = firstMeta(target, draft.metadata);
  let object: KubeObject = { ...draft, metadata };
  if (kind.prepare !== undefined) object = kind.prepare(object);
  if (kind.normalize !== undefined) object = kind.normalize(object, undefined);
  object = mutate(cluster, kind, object, undefined);
  validateObject(kind, object);
  for (const plugin of cluster.admission) plugin.validate?.(kind, object, undefined);
  object = withOwners(object, undefined, owners);
  const { name, namespace = '' } = metadata;
  if (readOrNothing(cluster.storage, { kind, namespace, name }) !== undefined) throw alreadyExists(kind, name);
  if (dryRun) {
    const { resourceVersion: _none, ...shown } = object.metadata;
    return { ...object, metadata: shown as ObjectMeta };
  }
  return put(cluster.storage, kind, keyOf(namespace, name), object);
}

/** The metadata of a new object: what the server sets, and of the client's the rest. */
function firstMeta({ kind, namespace, name: named }: Target, draft: DraftObject['metadata']): ObjectMeta {
  const meant = draft.namespace ?? '';
  if (kind.namespaced && meant !== '' && meant !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (draft.resourceVersion !== undefined && draft.resourceVersion !== '') {
    throw new StatusError(500, 'resourceVersion should not be set on objects to be created');
  }
  const {
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    resourceVersion: _version,
    managedFields: _managers,
    generation: _generation,
    namespace: _namespace,
    ...given
  } = draft;
  const base = given.generateName ?? '';
  return {
    ...given,
    name: given.name || named || (base === '' ? '' : generateName(base)),
    ...(kind.namespaced ? { namespace } : {}),
    uid: newUid(),
    resourceVersion: '',
    creationTimestamp: timestamp(),
    ...(kind.generation ? { generation: 1 } : {}),
  };
}
