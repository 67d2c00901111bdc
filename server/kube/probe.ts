import 'server-only';
import { z } from 'zod';
import type { KubeClient } from './client';
import type { ClusterClock } from './cluster-clock';
import { KubeError } from './errors';

const timeoutMs = 4_000;
const version = z.looseObject({ gitVersion: z.string() });

type Listener = Pick<ClusterClock, 'local' | 'heard'>;

/**
 * Asks the API server for its version, which everybody may read: the smallest proof that it answers.
 * Undefined when it did not; `version` is absent when it refused to tell. `clock` hears the time of the answer.
 */
export async function probe(
  client: Pick<KubeClient, 'request'>,
  clock?: Listener,
): Promise<{ version?: string } | undefined> {
  try {
    const sent = clock?.local() ?? 0;
    const { body, headers } = await client.request({ method: 'GET', path: '/version', timeoutMs });
    clock?.heard(headers.date, sent);
    const told = version.safeParse(body);
    return told.success ? { version: told.data.gitVersion } : {};
  } catch (error) {
    const answered = error instanceof KubeError && error.cause === 'http' && error.status < 500 && error.status !== 401;
    return answered ? {} : undefined;
  }
}
