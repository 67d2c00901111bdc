import { expect } from '@playwright/test';
import type { Api } from '../../server/embedded/controllers/client/api';
import { claim, createPool, isTrue, sandboxesOf, setPaused } from './objects';

/** An image that no Pod ever reports under this name. */
export const pinned = `registry.local/e2e/runtime@sha256:${'0123456789abcdef'.repeat(4)}`;

/** Claims one sandbox of a new pool, and gives its name when it runs. */
export async function claimOne(api: Api, namespace: string, team: string, runtime?: string): Promise<string> {
  const session = async () => (await sandboxesOf(api, namespace, `team=${team}`))[0];
  await createPool(api, namespace, `pool-${team}`, { replicas: 1, ...(runtime ? { runtime } : {}) });
  await claim(api, namespace, `pool-${team}`, 1, { team });
  await expect.poll(async () => (await session())?.status?.phase, { timeout: 30_000 }).toBe('Running');
  return (await session())?.metadata.name ?? '';
}

/** A session whose init image is pinned by digest was paused and is to come back: it never does. Gives its name. */
export async function hangInResuming(api: Api, namespace: string, team: string): Promise<string> {
  const name = await claimOne(api, namespace, team, pinned);
  await setPaused(api, namespace, name, true);
  const isPaused = async () => {
    const [sandbox] = await sandboxesOf(api, namespace, `team=${team}`);
    return sandbox?.status?.phase === 'Paused' && isTrue(sandbox, 'SandboxPaused');
  };
  await expect.poll(isPaused, { timeout: 30_000 }).toBe(true);
  await setPaused(api, namespace, name, false);
  return name;
}
