import { expect } from '@playwright/test';
import { z } from 'zod';
import { isNotFound } from '../../server/embedded/controllers/client/api';
import type { Cluster } from './cluster';

/**
 * Deletes a namespace with all that is in it. In a cluster that stays, waits for its end: the controllers, who let go
 * of what they protect, leave with the tests.
 */
export async function removeNamespace({ api, embedded }: Cluster, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}`;
  await api.remove(path);
  if (embedded) return;
  const isGone = () =>
    api.get(path).then(
      () => false,
      (error: unknown) => isNotFound(error) || Promise.reject(error),
    );
  await expect.poll(isGone, { timeout: 60_000 }).toBe(true);
}

const definitions = z.looseObject({ items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })) });

/** Deletes the definitions of the agents.kruise.io kinds, as if they had never been installed. */
export async function removeAgentsKinds({ api, embedded }: Cluster): Promise<void> {
  if (!embedded) throw new Error('Only the embedded cluster loses its kinds: tag the test @fault.');
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { items } = definitions.parse(await api.get(path));
  for (const { metadata } of items) {
    if (metadata.name.endsWith('.agents.kruise.io')) await api.remove(`${path}/${metadata.name}`);
  }
}
