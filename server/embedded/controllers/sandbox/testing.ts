import { expect } from 'vitest';
import { z } from 'zod';
import { type Pod, podSchema, type Sandbox, sandboxSchema } from '../client/objects';
import { collectionPath, objectPath, type Resource, resources } from '../client/resources';
import { findCondition } from '../rules/conditions';
import { startTestCluster } from '../testing';

const eventsSchema = z.looseObject({
  items: z.array(
    z.looseObject({ reason: z.string(), message: z.string(), involvedObject: z.looseObject({ name: z.string() }) }),
  ),
});

const namespace = 'default';

/** A cluster and the short ways in which tests look at sandboxes of the namespace `default`. */
export async function startSandboxTests() {
  const { api, server, stop } = await startTestCluster();
  const path = (resource: Resource, name: string) => objectPath(resource, { metadata: { name, namespace } });
  const read = async (name: string): Promise<Sandbox> =>
    sandboxSchema.parse(await api.get(path(resources.sandboxes, name)));
  const create = (resource: Resource, name: string, spec: object, metadata: object = {}) =>
    api.create(collectionPath(resource, namespace), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: resource.kind,
      metadata: { name, ...metadata },
      spec,
    });
  /** Waits until the sandbox is as wanted; resolves to it. */
  const until = async (name: string, test: (sandbox: Sandbox) => boolean): Promise<Sandbox> => {
    await expect.poll(async () => test(await read(name)), { timeout: 20_000 }).toBe(true);
    return await read(name);
  };
  return {
    api,
    server,
    stop,
    path,
    read,
    create,
    until,
    /** A sandbox up to Running and Ready. */
    running: async (name: string, spec: object, metadata?: object): Promise<Sandbox> => {
      await create(resources.sandboxes, name, spec, metadata);
      return await until(name, ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True');
    },
    change: (name: string, body: object) => api.patch(path(resources.sandboxes, name), body),
    pod: async (name: string): Promise<Pod> => podSchema.parse(await api.get(path(resources.pods, name))),
    gone: (resource: Resource, name: string) =>
      expect
        .poll(
          () =>
            api.get(path(resource, name)).then(
              () => false,
              () => true,
            ),
          { timeout: 20_000 },
        )
        .toBe(true),
    /** `reason: message` of the events about it. */
    events: async (name: string): Promise<string[]> => {
      const { items } = eventsSchema.parse(await api.get(collectionPath(resources.events, namespace)));
      return items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`);
    },
  };
}

export const reason = (sandbox: Sandbox, type: string): string | undefined =>
  findCondition(sandbox.status?.conditions, type)?.reason;
