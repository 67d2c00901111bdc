import { idOf, type KindDefinition } from './kinds';
import { deepEqual, type Fields, fieldsOf, type KubeObject, textOf } from './objects';
import { StatusError } from './status';
import type { Storage } from './storage';

const QUOTAS = 'resourcequotas';
/** Core kinds that a quota may also name without `count/`. */
const BARE = ['configmaps', 'persistentvolumeclaims', 'pods', 'resourcequotas', 'secrets'];

/** The kind's id that a resource of a quota counts, or undefined for what is no count of objects. */
function countedId(resource: string): string | undefined {
  if (resource.startsWith('count/')) return resource.slice('count/'.length);
  return BARE.includes(resource) ? resource : undefined;
}

function quotasIn(storage: Storage, namespace: string): { key: string; object: KubeObject }[] {
  const all = [...storage.collection(QUOTAS).items.values()];
  return all.filter(({ object }) => object.metadata.namespace === namespace);
}

function isOver(object: KubeObject): boolean {
  const phase = textOf(object, 'status', 'phase');
  return object.kind === 'Pod' && (phase === 'Succeeded' || phase === 'Failed');
}

function count(storage: Storage, id: string, namespace: string): number {
  let found = 0;
  for (const { object } of storage.collection(id).items.values()) {
    if (object.metadata.namespace === namespace && !isOver(object)) found += 1;
  }
  return found;
}

/** Refuses an object that would be one too many (the ResourceQuota admission; objects are counted, nothing is summed up). */
export function checkQuota(storage: Storage, kind: KindDefinition, { metadata }: KubeObject): void {
  const { name, namespace = '' } = metadata;
  for (const { object: quota } of quotasIn(storage, namespace)) {
    const hard = fieldsOf(quota, 'spec', 'hard');
    const used = count(storage, idOf(kind), namespace);
    const exceeded = Object.keys(hard)
      .filter((resource) => countedId(resource) === idOf(kind) && used >= Number(hard[resource]))
      .sort();
    if (exceeded.length === 0) continue;
    const list = (value: (resource: string) => unknown) =>
      exceeded.map((resource) => `${resource}=${value(resource)}`).join(',');
    throw new StatusError(
      403,
      `${idOf(kind)} "${name}" is forbidden: exceeded quota: ${quota.metadata.name}, requested: ${list(() => 1)}, used: ${list(() => used)}, limited: ${list((resource) => hard[resource])}`,
      'Forbidden',
      { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural },
    );
  }
}

/** Writes into the quotas of a namespace what is used now, as admission and the quota controller do. */
export function refreshQuotas(storage: Storage, namespace: string): void {
  for (const { key, object } of quotasIn(storage, namespace)) {
    const hard: Fields = {};
    const used: Fields = {};
    for (const [resource, limit] of Object.entries(fieldsOf(object, 'spec', 'hard'))) {
      const id = countedId(resource);
      if (id === undefined) continue;
      hard[resource] = limit;
      used[resource] = String(count(storage, id, namespace));
    }
    const status = { hard, used };
    if (!deepEqual(status, object.status)) storage.put(QUOTAS, key, { ...object, status });
  }
}
