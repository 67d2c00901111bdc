import { admit, mutate } from './admission/webhooks';
import { prepareCoreCreate } from './core-kinds';
import type { DraftObject } from './decode';
import { apiVersionOf, idOf, type KindDefinition } from './kinds';
import { generateName } from './object-meta';
import { deepEqual, fieldsOf, isFields, type KubeObject, listOf, type ObjectMeta, textOf } from './objects';
import { alreadyExists, badRequest, conflict, invalid, invalidValue, notFound, STALE, StatusError } from './status';
import { keyOf, newUid, type Storage, timestamp, type Version } from './storage';
import { specDiffers, validateObject } from './validation';

/** Where a request points: an object of a kind, or the whole kind when `name` is ''. */
export interface Target {
  kind: KindDefinition;
  /** '' for cluster-scoped kinds and for all namespaces. */
  namespace: string;
  name: string;
}

export function read(storage: Storage, { kind, namespace, name }: Target): Version {
  const version = storage.collection(idOf(kind)).items.get(keyOf(namespace, name));
  if (version === undefined) throw notFound(kind, name);
  return version;
}

function checkNamespace({ kind, namespace }: Target, metadata: Partial<ObjectMeta>): void {
  const given = metadata.namespace ?? '';
  if (kind.namespaced && given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Creating in a namespace that is missing or going away is refused. */
function requireNamespace(storage: Storage, { kind, namespace }: Target, name: string): void {
  if (!kind.namespaced) return;
  const found = storage.collection('namespaces').items.get(namespace);
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace);
  if (found.object.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const plural = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
  throw new StatusError(403, `${plural} "${name}" is forbidden: ${why}`, 'Forbidden', {
    name,
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.plural,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}

/** Creates an object; a dry run returns it with a uid and without a resourceVersion. */
export function create(storage: Storage, target: Target, draft: DraftObject, dryRun: boolean): KubeObject {
  const { kind, namespace } = target;
  checkNamespace(target, draft.metadata);
  if (draft.metadata.resourceVersion !== undefined && draft.metadata.resourceVersion !== '') {
    throw new StatusError(500, 'resourceVersion should not be set on objects to be created');
  }
  const base = draft.metadata.generateName ?? '';
  const name = draft.metadata.name || target.name || (base === '' ? '' : generateName(base));
  const {
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    resourceVersion: _version,
    ...given
  } = draft.metadata;
  const metadata: ObjectMeta = {
    ...given,
    name,
    ...(kind.namespaced ? { namespace } : {}),
    uid: newUid(),
    resourceVersion: '',
    creationTimestamp: timestamp(),
    ...(kind.generation ? { generation: 1 } : {}),
  };
  if (!kind.namespaced) delete metadata.namespace;
  if (!kind.generation) delete metadata.generation;
  let object: KubeObject = { ...draft, metadata };
  if (kind.custom !== undefined && kind.subresources.includes('status')) delete object.status;
  if (kind.custom === undefined) object = prepareCoreCreate(kind, object);
  object = mutate(kind, object, undefined);
  requireNamespace(storage, target, name);
  validateObject(kind, object);
  admit(kind, object, undefined, storage);
  const key = keyOf(kind.namespaced ? namespace : '', name);
  if (storage.collection(idOf(kind)).items.has(key)) throw alreadyExists(kind, name);
  if (dryRun) {
    const { resourceVersion: _none, ...shown } = object.metadata;
    return { ...object, metadata: shown as ObjectMeta };
  }
  return storage.put(idOf(kind), key, object).object;
}

/** Which part of an object a write is about; everything else stays as it is stored. */
export type Part = 'main' | 'status' | 'scale' | 'finalize';

/**
 * Replaces one part of an object. A write that changes nothing makes no event and keeps the resourceVersion; one that
 * removes the last finalizer of an object marked for deletion deletes it.
 */
export function update(
  storage: Storage,
  target: Target,
  current: Version,
  draft: DraftObject,
  part: Part,
  dryRun: boolean,
): KubeObject {
  const { kind, name } = target;
  const old = current.object;
  checkIdentity(target, draft, current);
  let object = merge(kind, old, draft, part);
  if (part === 'main') object = mutate(kind, object, old);
  if (kind.generation && part !== 'status' && specDiffers(kind, object, old)) {
    object = { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
  }
  validateObject(kind, object, old);
  if (part === 'main') admit(kind, object, old, storage);
  if (deepEqual(object, old) || dryRun) return object;
  const id = idOf(kind);
  const key = keyOf(target.namespace, name);
  if (isFinished(object)) {
    storage.remove(id, key);
    return object;
  }
  return storage.put(id, key, object).object;
}

function checkIdentity({ kind, name, namespace }: Target, draft: DraftObject, current: Version): void {
  const { metadata } = draft;
  if ((metadata.name ?? name) !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (kind.namespaced && (metadata.namespace ?? namespace) !== namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
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

/** A PUT of a custom resource must say which version it replaces. */
export function requireResourceVersion({ kind, name }: Target, draft: DraftObject): void {
  if (kind.custom === undefined || (draft.metadata.resourceVersion ?? '') !== '') return;
  throw invalid(kind.group, kind.plural, name, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

function merge(kind: KindDefinition, old: KubeObject, draft: DraftObject, part: Part): KubeObject {
  if (part === 'status') {
    const metadata = kind.custom === undefined ? systemMeta(old, draft) : old.metadata;
    const result: KubeObject = { ...old, metadata, status: draft.status };
    if (draft.status === undefined) delete result.status;
    return result;
  }
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
  if (kind.plural === 'namespaces') result.spec = old.spec;
  return result;
}

/** The metadata of a write, with what only the server sets taken from the stored object. */
function systemMeta(old: KubeObject, draft: DraftObject): ObjectMeta {
  const {
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
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

/** Whether nothing keeps an object that is marked for deletion. */
export function isFinished({ kind, metadata, spec }: KubeObject): boolean {
  if (metadata.deletionTimestamp === undefined || (metadata.finalizers ?? []).length > 0) return false;
  if (kind === 'Namespace' && isFields(spec) && listOf(spec, 'finalizers').length > 0) return false;
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** Binds a pod to a node, as a scheduler does. */
export function bind(storage: Storage, target: Target, body: unknown, dryRun: boolean): void {
  const current = read(storage, target);
  const node = textOf(body, 'target', 'name');
  const spec = fieldsOf(current.object, 'spec');
  if (node === '') throw badRequest('target.name is required');
  if (textOf(spec, 'nodeName') !== '') {
    throw conflict(
      target.kind,
      target.name,
      `pod ${target.name} is already assigned to node ${JSON.stringify(spec.nodeName)}`,
    );
  }
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timestamp() };
  const status = fieldsOf(current.object, 'status');
  const others = listOf(status, 'conditions').filter((condition) => textOf(condition, 'type') !== 'PodScheduled');
  const object: KubeObject = {
    ...current.object,
    spec: { ...spec, nodeName: node },
    status: { ...status, conditions: [...others, scheduled] },
  };
  if (!dryRun) storage.put('pods', current.key, object);
}
