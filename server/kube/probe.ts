import 'server-only';
import { z } from 'zod';
import type { KubeClient } from './client';
import { KubeError } from './errors';

const timeoutMs = 4_000;
const version = z.looseObject({ gitVersion: z.string() });

/**
 * Asks the API server for its version, which everybody may read: the smallest proof that it answers.
 * Undefined when it did not; `version` is absent when it refused to tell.
 */
export async function probe(client: Pick<KubeClient, 'request'>): Promise<{ version?: string } | undefined> {
  try {
    const { body } = await client.request({ method: 'GET', path: '/version', timeoutMs });
    const told = version.safeParse(body);
    return told.success ? { version: told.data.gitVersion } : {};
  } catch (error) {
    const answered = error instanceof KubeError && error.cause === 'http' && error.status < 500 && error.status !== 401;
    return answered ? {} : undefined;
  }
}
