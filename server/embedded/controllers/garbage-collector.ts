import { type Api, isNotFound } from './client/api';
import { Informer } from './client/informer';
import { type KubeObject, keyOf, type OwnerReference, objectSchema } from './client/objects';
import { WorkQueue } from './client/queue';
import { objectPath, type Resource, resources } from './client/resources';
import type { Cluster } from './cluster';

type AnyInformer = {
  resource: Resource;
  get(key: string): KubeObject | undefined;
  list(): Iterable<KubeObject>;
  onChange(handler: (before: KubeObject | undefined, after: KubeObject | undefined) => void): void;
};

/**
 * Garbage collection by ownerReferences, in the background: what has no owner left is deleted. Owners deleted with `Orphan` or
 * `Foreground` keep their finalizer until their dependents are let go of, or gone.
 */
export function garbageCollector(cluster: Cluster): { queue: WorkQueue; extra: Informer<KubeObject>[] } {
  const volumes = new Informer(cluster.api, resources.persistentvolumeclaims, objectSchema);
  const watched: AnyInformer[] = [
    cluster.sandboxes,
    cluster.sandboxSets,
    cluster.templates,
    cluster.checkpoints,
    cluster.pods,
    volumes,
  ];
  const dependents = new Map<string, Set<string>>();
  const find = (id: string) => {
    const [plural = '', ...rest] = id.split(' ');
    const informer = watched.find(({ resource }) => resource.plural === plural);
    const object = informer?.get(rest.join(' '));
    return informer === undefined || object === undefined ? undefined : { resource: informer.resource, object };
  };
  const owner = (namespace: string | undefined, reference: OwnerReference) => {
    const informer = watched.find(({ resource }) => resource.kind === reference.kind);
    const object = informer?.get(`${namespace}/${reference.name}`);
    return object?.metadata.uid === reference.uid ? object : undefined;
  };
  const queue = new WorkQueue('garbage collector', 32, async (id) => {
    const found = find(id);
    if (found === undefined) return;
    const { resource, object } = found;
    const { finalizers = [], ownerReferences = [], deletionTimestamp, uid, namespace } = object.metadata;
    if (deletionTimestamp !== undefined) {
      const own = [...(dependents.get(uid) ?? [])].flatMap((key) => find(key) ?? []);
      if (finalizers.includes('orphan')) await orphan(cluster.api, resource, object, own);
      else if (finalizers.includes('foregroundDeletion')) await foreground(cluster.api, resource, object, own);
      return;
    }
    if (ownerReferences.length === 0) return;
    const known = ownerReferences.filter(({ kind }) => watched.some((one) => one.resource.kind === kind));
    const gone: OwnerReference[] = [];
    for (const reference of known) {
      if (owner(namespace, reference) === undefined && !(await exists(cluster.api, namespace, reference))) {
        gone.push(reference);
      }
    }
    if (gone.length === 0) return;
    if (gone.length === ownerReferences.length) {
      await remove(cluster.api, resource, object);
      return;
    }
    // Others still want it: it only forgets those that are gone.
    const left = ownerReferences.filter((reference) => !gone.includes(reference));
    const metadata = { resourceVersion: object.metadata.resourceVersion, ownerReferences: left };
    await cluster.api.patch(objectPath(resource, object), { metadata });
  });
  for (const informer of watched) {
    const { plural } = informer.resource;
    informer.onChange((before, after) => {
      const id = `${plural} ${keyOf(after ?? before ?? { metadata: { name: '', uid: '', resourceVersion: '' } })}`;
      for (const { uid } of before?.metadata.ownerReferences ?? []) {
        const left = dependents.get(uid);
        if (left?.delete(id) && left.size === 0) dependents.delete(uid);
      }
      for (const { uid, kind, name } of after?.metadata.ownerReferences ?? []) {
        dependents.set(uid, (dependents.get(uid) ?? new Set()).add(id));
        if (
          after?.metadata.deletionTimestamp === undefined &&
          owner(after?.metadata.namespace, { apiVersion: '', kind, name, uid }) === undefined
        )
          queue.add(id);
      }
      if (after === undefined && before !== undefined) {
        for (const dependent of dependents.get(before.metadata.uid) ?? []) queue.add(dependent);
        dependents.delete(before.metadata.uid);
        // A foreground deletion waits for this one to go.
        for (const { kind, name } of before.metadata.ownerReferences ?? []) {
          const parent = watched.find(({ resource }) => resource.kind === kind)?.resource.plural;
          if (parent !== undefined) queue.add(`${parent} ${before.metadata.namespace}/${name}`);
        }
      }
      if (after?.metadata.deletionTimestamp !== undefined) queue.add(id);
    });
  }
  return { queue, extra: [volumes] };
}

interface Found {
  resource: Resource;
  object: KubeObject;
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

/** The copy may be behind: only the API server knows that an owner is gone. */
async function exists(api: Api, namespace: string | undefined, reference: OwnerReference): Promise<boolean> {
  const resource = Object.values(resources).find(({ kind }) => kind === reference.kind);
  if (resource === undefined) return true;
  try {
    const live = objectSchema.parse(
      await api.get(objectPath(resource, { metadata: { name: reference.name, namespace } })),
    );
    return live.metadata.uid === reference.uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function orphan(api: Api, resource: Resource, object: KubeObject, dependents: Found[]): Promise<void> {
  for (const dependent of dependents) {
    const left = (dependent.object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== object.metadata.uid);
    await api.patch(objectPath(dependent.resource, dependent.object), {
      metadata: { ownerReferences: left.length === 0 ? null : left },
    });
  }
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
