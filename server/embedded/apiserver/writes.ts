import { admit, mutate } from './admission/webhooks';
import { normalizeCore, podStatus, prepareCoreCreate } from './core-kinds';
import type { DraftObject } from './decode';
import { apiVersionOf, type KindDefinition } from './kinds';
import type { ManagedFieldsEntry } from './managed-fields/managers';
import { generateName } from './object-meta';
import { deepEqual, fieldsOf, isFields, type KubeObject, listOf, type ObjectMeta, textOf } from './objects';
import { checkQuota } from './quotas';
import { collectionOf, put, shownAs } from './shapes';
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

export function read(storage: Storage, target: Target): Version {
  const version = readOrNothing(storage, target);
  if (version === undefined) throw notFound(target.kind, target.name);
  return version;
}

export function readOrNothing(storage: Storage, { kind, namespace, name }: Target): Version | undefined {
  const version = storage.collection(collectionOf(kind)).items.get(keyOf(namespace, name));
  return version && shownAs(kind, version);
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

/** Who owns which field after a write, by what it did. */
export type Owners = (old: KubeObject | undefined, object: KubeObject) => ManagedFieldsEntry[];

function withOwners(object: KubeObject, old: KubeObject | undefined, owners: Owners | undefined): KubeObject {
  if (owners === undefined) return object;
  const { managedFields: _before, ...metadata } = object.metadata;
  const managedFields = owners(old, object);
  return { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } };
}

/** Creates an object; a dry run returns it with a uid and without a resourceVersion. */
export function create(
  storage: Storage,
  target: Target,
  draft: DraftObject,
  dryRun: boolean,
  owners?: Owners,
): KubeObject {
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
    managedFields: _managers,
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
  if (kind.custom !== undefined && kind.subresources.includes('status')) {
    // What the schema has for a missing status is there when it is read again.
    const { default: status } = kind.custom.schema.properties?.status ?? {};
    if (status === undefined) delete object.status;
    else object.status = status;
  }
  if (kind.custom === undefined) object = normalizeCore(kind, prepareCoreCreate(kind, object));
  object = mutate(kind, object, undefined, storage);
  requireNamespace(storage, target, name);
  validateObject(kind, object);
  admit(kind, object, undefined, storage);
  checkQuota(storage, kind, object);
  object = withOwners(object, undefined, owners);
  const key = keyOf(kind.namespaced ? namespace : '', name);
  if (storage.collection(collectionOf(kind)).items.has(key)) throw alreadyExists(kind, name);
  if (dryRun) {
    const { resourceVersion: _none, ...shown } = object.metadata;
    return { ...object, metadata: shown as ObjectMeta };
  }
  return put(storage, kind, key, object);
}

/** Which part of an object a write is about; everything else stays as it is stored. */
export type Part = 'main' | 'status' | 'scale' | 'finalize';

export function partOf(subresource: string): Part {
  return subresource === 'status' || subresource === 'finalize' ? subresource : 'main';
}

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
  owners?: Owners,
): KubeObject {
  const { kind, name } = target;
  const old = current.object;
  checkIdentity(target, draft, current);
  let object = merge(kind, old, draft, part);
  if (part === 'main' && kind.custom === undefined) object = normalizeCore(kind, object);
  if (part === 'main') object = mutate(kind, object, old, storage);
  if (kind.generation && part !== 'status' && specDiffers(kind, object, old)) {
    object = { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
  }
  validateObject(kind, object, old, part);
  if (part === 'main') admit(kind, object, old, storage);
  if (draft.metadata.managedFields === undefined) object = withOwners(object, old, owners);
  if (deepEqual(object, old) || dryRun) return object;
  const key = keyOf(target.namespace, name);
  if (isFinished(object)) {
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

/** A PUT of a custom resource must say which version it replaces. */
export function requireResourceVersion({ kind, name }: Target, body: object): void {
  if (kind.custom === undefined || textOf(body, 'metadata', 'resourceVersion') !== '') return;
  throw invalid(kind.group, kind.plural, name, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

function merge(kind: KindDefinition, old: KubeObject, draft: DraftObject, part: Part): KubeObject {
  if (part === 'status') {
    const metadata = kind.custom === undefined ? systemMeta(old, draft) : old.metadata;
    const status = kind.plural === 'pods' ? podStatus(fieldsOf(draft, 'status')) : draft.status;
    const result: KubeObject = { ...old, metadata, status };
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
    managedFields: forgotten,
    ...given
  } = draft.metadata;
  const { name, namespace, uid, resourceVersion, creationTimestamp, generateName: base } = old.metadata;
  const { generation, deletionTimestamp, deletionGracePeriodSeconds, managedFields } = old.metadata;
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
    ...(managedFields === undefined || forgotten !== undefined ? {} : { managedFields }),
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
      { ...target.kind, plural: 'pods/binding' },
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
