import { remove } from './deletes';
import type { KindRegistry } from './kind-registry';
import { idOf } from './kinds';
import type { Storage } from './storage';

const SWEEP_MS = 200;

const BACKGROUND = {
  dryRun: false,
  propagationPolicy: 'Background',
  gracePeriodSeconds: undefined,
  preconditions: { uid: '', resourceVersion: '' },
};

/**
 * Deletes what is in a namespace that is marked for deletion, and the namespace when it is empty: on a real cluster
 * the work of the controller manager, which this one has none of. Returns a function that ends it.
 */
export function startNamespaceLifecycle(storage: Storage, kinds: KindRegistry): () => void {
  const namespaces = storage.collection('namespaces');
  let timer: NodeJS.Timeout | undefined;

  const sweep = () => {
    timer = undefined;
    for (const { object } of [...namespaces.items.values()]) {
      if (object.metadata.deletionTimestamp === undefined) continue;
      if (empty(storage, kinds, object.metadata.name)) storage.remove('namespaces', object.metadata.name);
      else schedule();
    }
  };
  const schedule = () => {
    timer ??= setTimeout(sweep, SWEEP_MS);
  };
  const unsubscribe = namespaces.subscribe(({ type, version }) => {
    if (type !== 'DELETED' && version.object.metadata.deletionTimestamp !== undefined) schedule();
  });
  schedule();
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Deletes the objects in a namespace that are not marked yet; true when there is nothing left. */
function empty(storage: Storage, kinds: KindRegistry, namespace: string): boolean {
  let left = false;
  for (const kind of kinds.all()) {
    if (!kind.namespaced) continue;
    const { items, keys } = storage.collection(idOf(kind));
    for (const key of [...keys]) {
      const version = items.get(key);
      if (version === undefined || version.object.metadata.namespace !== namespace) continue;
      const { name, deletionTimestamp } = version.object.metadata;
      const target = { kind, namespace, name };
      if (deletionTimestamp !== undefined || remove(storage, target, version, BACKGROUND) !== undefined) left = true;
    }
  }
  return !left;
}
