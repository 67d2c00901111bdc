import { z } from 'zod';
import { type Api, isConflict, isNotFound } from './client/api';
import { Informer } from './client/informer';
import { type KubeObject, keyOf, objectSchema } from './client/objects';
import { WorkQueue } from './client/queue';
import { collectionPath, objectPath, type Resource, resources } from './client/resources';
import type { Cluster } from './cluster';
import { deletableResources } from './discovery';

const emptyingMs = 300;

const itemsSchema = z.looseObject({ items: z.array(objectSchema) });

/** Empties a namespace that is being deleted and lets it go. */
export function namespaceController(cluster: Cluster): { queue: WorkQueue; informer: Informer<KubeObject> } {
  const { api } = cluster;
  const informer = new Informer(api, resources.namespaces, objectSchema);
  const queue = new WorkQueue('namespace', 2, async (name) => {
    const namespace = informer.get(name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    let left = 0;
    for (const resource of await deletableResources(api)) {
      if (resource.namespaced) left += await deleteAll(api, resource, name);
    }
    if (left > 0) return { requeueAfterMs: emptyingMs };
    try {
      const live = objectSchema.parse(await api.get(objectPath(resources.namespaces, namespace)));
      await api.replace(objectPath(resources.namespaces, namespace, 'finalize'), { ...live, spec: { finalizers: [] } });
    } catch (error) {
      if (isConflict(error)) return { requeueAfterMs: emptyingMs };
      if (!isNotFound(error)) throw error;
    }
    return;
  });
  informer.onChange((_before, after) => {
    if (after?.metadata.deletionTimestamp !== undefined) queue.add(keyOf(after));
  });
  return { queue, informer };
}

/** Deletes what is not being deleted yet; resolves to how many there were. */
async function deleteAll(api: Api, resource: Resource, namespace: string): Promise<number> {
  const { items } = itemsSchema.parse(await api.get(collectionPath(resource, namespace)));
  for (const item of items) {
    if (item.metadata.deletionTimestamp !== undefined) continue;
    try {
      await api.remove(objectPath(resource, item));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return items.length;
}
