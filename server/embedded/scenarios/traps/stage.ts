import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Api, isNotFound, type PatchType } from '../../controllers/client/api';
import { collectionPath, objectPath, type Resource, resources } from '../../controllers/client/resources';
import type { Faults } from '../../faults/registry';
import { ensureNamespace } from '../objects';
import { ignoreMissing } from '../sessions';

const pollMs = 50;
const patienceMs = 60_000;

export const resourcequotas: Resource = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
};

/** Any object; a scenario looks deep into every kind, and waits until what it looks for is there. */
export const anyObject = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
    finalizers: z.array(z.string()).default([]),
    deletionTimestamp: z.string().optional(),
    generation: z.number().optional(),
    ownerReferences: z.array(z.looseObject({ kind: z.string(), uid: z.string() })).default([]),
  }),
  spec: z.any().optional(),
  status: z.any().optional(),
});
export type AnyObject = z.infer<typeof anyObject>;
const anyList = z.looseObject({ items: z.array(anyObject) });

export const condition = (object: AnyObject, type: string): { status?: string; reason?: string; message?: string } =>
  (Array.isArray(object.status?.conditions) ? object.status.conditions : []).find(
    (one: { type?: unknown }) => one.type === type,
  ) ?? {};

/** What a scenario acts with: the API, in its own namespace, and faults that end with it. */
export class Stage {
  constructor(
    readonly api: Api,
    readonly namespace: string,
    readonly faults: Faults,
    readonly signal: AbortSignal,
    /** The scenario, as the faults that it starts name it. */
    private readonly name: string,
    /** Done at its end, last first. */
    readonly cleanUps: (() => Promise<void>)[],
  ) {}

  path = (resource: Resource, name: string, subresource?: string): string =>
    objectPath(resource, { metadata: { name, namespace: this.namespace } }, subresource);

  get = async (resource: Resource, name: string): Promise<AnyObject> =>
    anyObject.parse(await this.api.get(this.path(resource, name)));

  list = async (resource: Resource, selector = ''): Promise<AnyObject[]> => {
    const query = selector === '' ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
    return anyList.parse(await this.api.get(`${collectionPath(resource, this.namespace)}${query}`)).items;
  };

  create(resource: Resource, name: string, spec: unknown, metadata: object = {}): Promise<unknown> {
    const { group, version, kind } = resource;
    return this.api.create(collectionPath(resource, this.namespace), {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: { name, namespace: this.namespace, ...metadata },
      spec,
    });
  }

  patch = (resource: Resource, name: string, body: unknown, type: PatchType = 'merge', subresource?: string) =>
    this.api.patch(this.path(resource, name, subresource), body, type);

  remove = (resource: Resource, name: string): Promise<void> =>
    ignoreMissing(this.api.remove(this.path(resource, name)));

  async fault(name: string, params: object = {}): Promise<() => Promise<unknown>> {
    const { id } = await this.faults.start(name, params, undefined, this.name);
    return () => this.faults.end(id);
  }

  /** A second namespace of the scenario. */
  async beside(suffix: string): Promise<Stage> {
    const namespace = `${this.namespace}-${suffix}`;
    await ensureNamespace(this.api, namespace);
    this.cleanUps.push(() => removeNamespace(this.api, namespace));
    return new Stage(this.api, namespace, this.faults, this.signal, this.name, this.cleanUps);
  }

  /** Waits until what is looked up is as wanted. */
  async until<T>(look: () => Promise<T>, wanted: (found: T) => unknown, what: string): Promise<T> {
    for (const deadline = Date.now() + patienceMs; ; await sleep(pollMs, undefined, { signal: this.signal })) {
      const found = await look().catch(() => undefined);
      if (found !== undefined && wanted(found)) return found;
      if (Date.now() > deadline) throw new Error(`${this.name}: ${what} did not come about`);
    }
  }

  object = (resource: Resource, name: string, wanted: (object: AnyObject) => unknown): Promise<AnyObject> =>
    this.until(() => this.get(resource, name), wanted, `what is expected of ${resource.plural} ${name}`);

  objects = (resource: Resource, wanted: (objects: AnyObject[]) => unknown, selector = ''): Promise<AnyObject[]> =>
    this.until(() => this.list(resource, selector), wanted, `what is expected of the ${resource.plural}`);
}

const held = [resources.sandboxupdateops, resources.sandboxes];

/**
 * Deletes a namespace and waits until it is gone. What would keep it is let go: finalizers whose controller hangs or does not
 * run, and Pods that take their time to stop. An API server that fails meanwhile is asked again.
 * @throws Error when it is still there after a minute.
 */
export async function removeNamespace(api: Api, name: string): Promise<void> {
  const path = objectPath(resources.namespaces, { metadata: { name } });
  const isGone = () => api.get(path).then(() => false, isNotFound);
  for (const deadline = Date.now() + patienceMs; !(await isGone()); await sleep(2 * pollMs)) {
    if (Date.now() > deadline) throw new Error(`namespace ${name} could not be removed`);
    await ignoreMissing(api.remove(path))
      .then(() => letGo(api, name))
      .catch(() => undefined);
  }
}

async function letGo(api: Api, namespace: string): Promise<void> {
  const marked = async (resource: Resource) =>
    anyList
      .parse(await api.get(collectionPath(resource, namespace)))
      .items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const resource of held) {
    for (const object of await marked(resource)) {
      if (object.metadata.finalizers.length === 0) continue;
      await ignoreMissing(api.patch(objectPath(resource, object), { metadata: { finalizers: null } }));
    }
  }
  for (const pod of await marked(resources.pods)) {
    await ignoreMissing(api.remove(objectPath(resources.pods, pod), { gracePeriodSeconds: 0 }));
  }
}
