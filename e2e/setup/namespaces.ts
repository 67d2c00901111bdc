import { expect } from '@playwright/test';
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
    (error) => isNotFound(error) || Promise.reject(error),
  );
  await expect.poll(isGone, { timeout: 60_000 }).toBe(true);
}
