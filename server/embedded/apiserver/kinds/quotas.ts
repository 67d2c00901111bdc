import { formatQuantity, isBinary, parseQuantity } from '../../quantity';
import type { AdmissionPlugin } from '../core/admission';
import { idOf, type KindDefinition } from '../core/kind-definition';
import { deepEqual, type Fields, fieldsOf, type KubeObject } from '../core/objects';
import { StatusError } from '../core/status';
import type { Storage } from '../core/storage';
import { add, countedIds, isInScope, missingOf, type Usage, usageOf } from './quota-usage';

const QUOTAS = 'resourcequotas';

/** ResourceQuota: nothing is made beyond the quotas of a namespace, and they say what is used. */
export const resourceQuota = (storage: Storage): AdmissionPlugin => ({
  validate: (kind, object, old) => {
    checkQuotas(storage, kind, object, old);
  },
  written: (namespace) => refreshQuotas(storage, namespace),
});

function quotasIn(storage: Storage, namespace: string): { key: string; object: KubeObject }[] {
  const all = [...storage.collection(QUOTAS).items.values()];
  return all.filter(({ object }) => object.metadata.namespace === namespace);
}

/** What the objects of a namespace that a quota is about use of it. */
function usedOf(storage: Storage, quota: KubeObject): Usage {
  const used: Usage = new Map();
  for (const id of countedIds(Object.keys(fieldsOf(quota, 'spec', 'hard')))) {
    for (const { object } of storage.collection(id).items.values()) {
      if (object.metadata.namespace === quota.metadata.namespace && isInScope(quota, object))
        add(used, usageOf(id, object));
    }
  }
  return used;
}

/** What an object uses more than before. */
function increaseOf(id: string, object: KubeObject, old: KubeObject | undefined): Usage {
  const usage = usageOf(id, object);
  if (old === undefined) return usage;
  const before = usageOf(id, old);
  const more = [...usage].map(
    ([name, value]) => [name, { ...value, amount: value.amount - amountOf(before, name) }] as const,
  );
  return new Map(more.filter(([, { amount }]) => amount > 0));
}

/** Refuses an object that would be one too many, or would use too much; or does not say what it uses. */
function checkQuotas(storage: Storage, kind: KindDefinition, object: KubeObject, old: KubeObject | undefined): void {
  const { name, namespace = '' } = object.metadata;
  const refuse = (why: string) =>
    new StatusError(403, `${idOf(kind)} "${name}" is forbidden: ${why}`, 'Forbidden', {
      name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
    });
  for (const { object: quota } of quotasIn(storage, namespace)) {
    if (!isInScope(quota, object)) continue;
    const hard = fieldsOf(quota, 'spec', 'hard');
    const requested = increaseOf(idOf(kind), object, old);
    if (requested.size === 0) continue;
    const missing = missingOf(object, Object.keys(hard));
    if (missing !== '') throw refuse(`failed quota: ${quota.metadata.name}: must specify ${missing}`);
    const names = Object.keys(hard).filter((resource) => requested.has(resource));
    if (names.length === 0) continue;
    const used = usedOf(storage, quota);
    const exceeded = names
      .filter(
        (resource) => amountOf(used, resource) + amountOf(requested, resource) > (parseQuantity(hard[resource]) ?? 0),
      )
      .sort();
    if (exceeded.length === 0) continue;
    const list = (text: (resource: string) => unknown) =>
      exceeded.map((resource) => `${resource}=${text(resource)}`).join(',');
    throw refuse(
      `exceeded quota: ${quota.metadata.name}, requested: ${list((resource) => textOfUsage(requested, resource))}, used: ${list((resource) => textOfUsage(used, resource))}, limited: ${list((resource) => canonical(hard[resource]))}`,
    );
  }
}

const amountOf = (usage: Usage, resource: string): number => usage.get(resource)?.amount ?? 0;

function textOfUsage(usage: Usage, resource: string): string {
  const { amount = 0, binary = false } = usage.get(resource) ?? {};
  return formatQuantity(amount, binary);
}

const canonical = (quantity: unknown) => formatQuantity(parseQuantity(quantity) ?? 0, isBinary(quantity));

/** Writes into the quotas of a namespace what is used now, as admission and the quota controller do. */
function refreshQuotas(storage: Storage, namespace: string): void {
  for (const { key, object } of quotasIn(storage, namespace)) {
    const hard: Fields = fieldsOf(object, 'spec', 'hard');
    const usage = usedOf(storage, object);
    const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, textOfUsage(usage, resource)]));
    const status = { hard, used };
    if (!deepEqual(status, object.status)) storage.put(QUOTAS, key, { ...object, status });
  }
}
