import { ownersBefore } from '../managed-fields/given';
import { type Cluster, mutate } from './admission';
import type { DraftObject } from './decode';
import { isFinished } from './deletes';
import { apiVersionOf, type KindDefinition } from './kind-definition';
import { deepEqual, fieldsOf, type KubeObject, listOf, type ObjectMeta } from './objects';
import { type Owners, withOwners } from './owners';
import type { Target } from './reads';
import { collectionOf, put } from './shapes';
import { badRequest, conflict, STALE } from './status';
import { keyOf, type Version } from './storage';
import { validateObject } from './validation';

/** Which part of an object a write is about; everything else stays as it is stored. */
export type Part = 'main' | 'status' | 'scale' | 'finalize' | 'resize';

const PARTS: readonly Part[] = ['status', 'finalize', 'resize'];

export function partOf(subresource: string): Part {
  return PARTS.find((part) => part === subresource) ?? 'main';
}

/**
 * Replaces one part of an object. A write that changes nothing makes no event and keeps the resourceVersion; one that
 * removes the last finalizer of an object marked for deletion deletes it.
 */
export function update(
  cluster: Cluster,
  target: Target,
  current: Version,
  draft: DraftObject,
  part: Part,
  dryRun: boolean,
  owners: Owners,
): KubeObject {
  const { kind, name } = target;
  const { storage, admission } = cluster;
  const old = current.object;
  checkIdentity(target, draft, current);
  let object = merge(kind, old, draft, part);
  if (part === 'main' && kind.normalize !== undefined) object = kind.normalize(object, old);
  if (part === 'main') object = mutate(cluster, kind, object, old);
  if (kind.generation && part !== 'status' && specDiffers(kind, object, old)) {
    object = { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
  }
  validateObject(kind, object, old, part);
  if (part === 'main' || part === 'resize') for (const plugin of admission) plugin.validate?.(kind, object, old);
  const given = part === 'main' ? draft.metadata.managedFields : undefined;
  object = withOwners(object, old, owners, ownersBefore(given, old.metadata.managedFields));
  if (deepEqual(object, old) || dryRun) return object;
  const key = keyOf(target.namespace, name);
  if (isFinished(kind, object)) {
    storage.remove(collectionOf(kind), key);
    return object;
  }
  return put(storage, kind, key, object);
}

function checkIdentity({ kind, name, namespace }: Target, draft: DraftObject, current: Version): void {
  const { metadata } = draft;
  if ((metadata.name ?? name) !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (kind.namespaced && (metadata.namespace ?? namespace) !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const { uid } = current.object.metadata;
  if (metadata.uid !== undefined && metadata.uid !== uid) {
    const group = kind.group === '' ? '' : `${kind.group}/`;
    const key = `/registry/${group}${kind.plural}/${kind.namespaced ? `${namespace}/` : ''}${name}`;
    throw conflict(
      kind,
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`,
    );
  }
  const version = metadata.resourceVersion ?? '';
  if (version !== '' && version !== current.object.metadata.resourceVersion) throw conflict(kind, name, STALE);
}

function merge(kind: KindDefinition, old: KubeObject, draft: DraftObject, part: Part): KubeObject {
  if (part === 'status') {
    const metadata = kind.isCustom !== true ? systemMeta(old, draft) : old.metadata;
    const status = kind.normalizeStatus === undefined ? draft.status : kind.normalizeStatus(draft.status);
    const result: KubeObject = { ...old, metadata, status };
    if (draft.status === undefined) delete result.status;
    return result;
  }
  if (part === 'resize') return kind.resize?.(draft, old) ?? old;
  if (part === 'finalize') {
    return { ...old, spec: { ...fieldsOf(old, 'spec'), finalizers: listOf(draft, 'spec', 'finalizers') } };
  }
  const result: KubeObject = {
    ...draft,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: part === 'scale' ? old.metadata : systemMeta(old, draft),
  };
  if (kind.subresources.includes('status')) {
    if (old.status === undefined) delete result.status;
    else result.status = old.status;
  }
  return result;
}

/** The metadata of a write, with what only the server sets taken from the stored object. */
function systemMeta(old: KubeObject, draft: DraftObject): ObjectMeta {
  const {
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    managedFields: _managers,
    ...given
  } = draft.metadata;
  const { name, namespace, uid, resourceVersion, creationTimestamp, generateName: base } = old.metadata;
  const { generation, deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  return {
    ...given,
    name,
    uid,
    resourceVersion,
    creationTimestamp,
    ...(namespace === undefined ? {} : { namespace }),
    ...(base === undefined ? {} : { generateName: base }),
    ...(generation === undefined ? {} : { generation }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  };
}

/** Whether two versions differ in what the generation counts: everything but metadata and, where it is apart, status. */
function specDiffers(kind: KindDefinition, a: KubeObject, b: KubeObject): boolean {
  if (kind.isCustom !== true) return !deepEqual(a.spec, b.spec);
  const apart = kind.subresources.includes('status');
  const rest = ({ metadata: _metadata, status, ...fields }: KubeObject) => (apart ? fields : { ...fields, status });
  return !deepEqual(rest(a), rest(b));
}
