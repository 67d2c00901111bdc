import { type Api, isNotFound } from './client/api';
import { type KubeObject, keyOf, type OwnerReference, objectSchema } from './client/objects';
import { WorkQueue } from './client/queue';
import { objectPath, type Resource } from './client/resources';
import type { Cluster } from './cluster';
import { idOf, type Watched, WatchedKinds } from './garbage-collector-kinds';

/** How many objects are remembered to be gone, so that nobody has to be asked (the collector's absent owner cache). */
const ABSENT_LIMIT = 500;
/** An owner that the copy does not show may go without a word: it is asked for again after this. */
const UNSEEN_MS = 500;

/**
 * Garbage collection by ownerReferences, in the background, of every kind that is served: what has no owner left is deleted.
 * Owners deleted with `Orphan` or `Foreground` keep their finalizer until their dependents are let go of, or gone.
 */
export function garbageCollector(cluster: Cluster): { queue: WorkQueue; kinds: WatchedKinds } {
  const { api, sandboxes, sandboxSets, templates, checkpoints, pods } = cluster;
  /** The objects that name an owner, by its uid. */
  const dependents = new Map<string, Set<string>>();
  const absent = new Set<string>();
  /** What names an owner of a kind that is not served, or not watched yet. */
  const undecided = new Set<string>();

  const find = (id: string): Found | undefined => {
    const [kind = '', key = ''] = id.split(' ');
    const watched = kinds.byId(kind);
    const object = watched?.get(key);
    return watched === undefined || object === undefined ? undefined : { resource: watched.resource, object };
  };
  const queue = new WorkQueue('garbage collector', 32, async (id) => {
    const found = find(id);
    if (found === undefined) return;
    const { resource, object } = found;
    const { finalizers = [], ownerReferences = [], deletionTimestamp, uid } = object.metadata;
    if (deletionTimestamp !== undefined) {
      const own = [...(dependents.get(uid) ?? [])].flatMap((key) => find(key) ?? []);
      if (finalizers.includes('orphan')) await orphan(api, resource, object, own);
      else if (finalizers.includes('foregroundDeletion')) await foreground(api, resource, object, own);
      return;
    }
    const states = await Promise.all(ownerReferences.map((reference) => stateOf(object, reference)));
    const gone = ownerReferences.filter((_reference, index) => states[index] === 'gone');
    // Others may still want it: then it only forgets those that are gone.
    if (gone.length > 0 && gone.length === ownerReferences.length) await remove(api, resource, object);
    else if (gone.length > 0) await forget(api, found, (reference) => gone.includes(reference));
    if (states.includes('unknown')) undecided.add(id);
    return states.includes('unseen') ? { requeueAfterMs: UNSEEN_MS } : undefined;
  });

  /** The copy may be behind: only the API server knows that an owner is gone. */
  const stateOf = async ({ metadata: { namespace } }: KubeObject, reference: OwnerReference): Promise<State> => {
    if (absent.has(reference.uid)) return 'gone';
    const watched = kinds.named(reference.apiVersion, reference.kind);
    if (watched === undefined) return 'unknown';
    const { resource } = watched;
    // Something in a namespace cannot own what is in none.
    if (resource.namespaced && namespace === undefined) return 'unknown';
    const owner = { metadata: { name: reference.name, namespace: resource.namespaced ? namespace : undefined } };
    if (watched.get(keyOfOwner(owner))?.metadata.uid === reference.uid) return 'there';
    try {
      const live = objectSchema.parse(await api.get(objectPath(resource, owner)));
      return live.metadata.uid === reference.uid ? 'unseen' : 'gone';
    } catch (error) {
      if (isNotFound(error)) return 'gone';
      throw error;
    }
  };

  const onChange = (kind: Watched, before: KubeObject | undefined, after: KubeObject | undefined) => {
    const object = after ?? before;
    if (object === undefined) return;
    const id = `${idOf(kind.resource)} ${keyOf(object)}`;
    for (const { uid } of before?.metadata.ownerReferences ?? []) {
      const left = dependents.get(uid);
      if (left?.delete(id) && left.size === 0) dependents.delete(uid);
    }
    if (after === undefined) {
      wentAway(object);
      return;
    }
    const { ownerReferences = [], deletionTimestamp, namespace } = after.metadata;
    for (const { uid } of ownerReferences) dependents.set(uid, (dependents.get(uid) ?? new Set()).add(id));
    const isWanted = ({ apiVersion, kind: named, name, uid }: OwnerReference) => {
      const owner = kinds.named(apiVersion, named);
      const within = owner?.resource.namespaced === true ? namespace : undefined;
      return owner?.get(keyOfOwner({ metadata: { name, namespace: within } }))?.metadata.uid === uid;
    };
    if (deletionTimestamp !== undefined || !ownerReferences.every(isWanted)) queue.add(id);
  };

  const wentAway = ({ metadata: { uid, namespace, ownerReferences = [] } }: KubeObject) => {
    absent.add(uid);
    const [oldest] = absent;
    if (absent.size > ABSENT_LIMIT && oldest !== undefined) absent.delete(oldest);
    for (const dependent of dependents.get(uid) ?? []) queue.add(dependent);
    // A foreground deletion waits for this one to go.
    for (const { apiVersion, kind, name } of ownerReferences) {
      const parent = kinds.named(apiVersion, kind)?.resource;
      if (parent === undefined) continue;
      const owner = { metadata: { name, namespace: parent.namespaced ? namespace : undefined } };
      queue.add(`${idOf(parent)} ${keyOfOwner(owner)}`);
    }
  };

  const kinds = new WatchedKinds(api, [sandboxes, sandboxSets, templates, checkpoints, pods], onChange, () => {
    for (const id of undecided) queue.add(id);
    undecided.clear();
  });
  return { queue, kinds };
}

/**
 * Whether an owner is there; unseen where only the API server says so, unknown where its kind is not served, or it could not own
 * the object at all.
 */
type State = 'there' | 'unseen' | 'gone' | 'unknown';

const keyOfOwner = ({
  metadata: { name, namespace },
}: {
  metadata: { name: string; namespace: string | undefined };
}) => (namespace === undefined ? name : `${namespace}/${name}`);

interface Found {
  resource: Resource;
  object: KubeObject;
}

/** Lets an object forget owners; the list it replaces must be the one that was looked at. */
function forget(
  api: Api,
  { resource, object }: Found,
  isGone: (reference: OwnerReference) => boolean,
): Promise<unknown> {
  const left = (object.metadata.ownerReferences ?? []).filter((reference) => !isGone(reference));
  const ownerReferences = left.length === 0 ? null : left;
  const { resourceVersion } = object.metadata;
  return api.patch(objectPath(resource, object), { metadata: { resourceVersion, ownerReferences } });
}

async function remove(api: Api, resource: Resource, object: KubeObject): Promise<void> {
  try {
    await api.remove(objectPath(resource, object), {
      preconditions: { uid: object.metadata.uid },
      propagationPolicy: 'Background',
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function orphan(api: Api, resource: Resource, object: KubeObject, dependents: Found[]): Promise<void> {
  for (const dependent of dependents) await forget(api, dependent, ({ uid }) => uid === object.metadata.uid);
  await dropFinalizer(api, resource, object, 'orphan');
}

async function foreground(api: Api, resource: Resource, object: KubeObject, dependents: Found[]): Promise<void> {
  for (const dependent of dependents)
    if (dependent.object.metadata.deletionTimestamp === undefined)
      await remove(api, dependent.resource, dependent.object);
  const blocking = dependents.some(({ object: { metadata } }) =>
    metadata.ownerReferences?.some((one) => one.uid === object.metadata.uid && one.blockOwnerDeletion === true),
  );
  if (!blocking) await dropFinalizer(api, resource, object, 'foregroundDeletion');
}

async function dropFinalizer(api: Api, resource: Resource, object: KubeObject, name: string): Promise<void> {
  const left = (object.metadata.finalizers ?? []).filter((one) => one !== name);
  await api.patch(objectPath(resource, object), {
    metadata: { resourceVersion: object.metadata.resourceVersion, finalizers: left.length === 0 ? null : left },
  });
}
