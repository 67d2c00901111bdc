import 'server-only';
import type { KubeRequest } from './client';
import { httpError, KubeError } from './errors';
import { listPage } from './ingest';
import type { Timing } from './timing';

const pageSize = 500;
const restarts = 3;

/** A collection that is listed and watched. */
export interface Watched {
  /** Plural. */
  kind: string;
  path: string;
  labelSelector?: string;
}

/** The one call that listing needs. */
export interface Lister {
  request(request: KubeRequest): Promise<{ status: number; body: unknown }>;
}

export function selectorOf({ labelSelector }: Watched): Record<string, string> {
  return labelSelector ? { labelSelector } : {};
}

/**
 * Lists everything, page by page, and returns the version from which a watch continues. A page token can expire
 * on the way: the list then begins anew, a few times.
 * @throws KubeError
 */
export async function listAll(
  client: Lister,
  watched: Watched,
  timing: Pick<Timing, 'listTimeout'>,
  signal: AbortSignal,
  into: { begin(): void; item(raw: unknown): void },
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      into.begin();
      return await listOnce(client, watched, timing, signal, into.item);
    } catch (error) {
      const expired = error instanceof KubeError && error.status === 410;
      if (!expired || attempt === restarts) throw error;
    }
  }
}

async function listOnce(
  client: Lister,
  watched: Watched,
  timing: Pick<Timing, 'listTimeout'>,
  signal: AbortSignal,
  item: (raw: unknown) => void,
): Promise<string> {
  let continueAt = '';
  for (;;) {
    const answer = await client.request({
      method: 'GET',
      path: watched.path,
      query: { ...selectorOf(watched), limit: pageSize, ...(continueAt ? { continue: continueAt } : {}) },
      timeoutMs: timing.listTimeout,
      signal,
    });
    const page = listPage.safeParse(answer.body);
    if (!page.success) throw httpError(answer.status, `this is no list: ${page.error.issues[0]?.message}`);
    for (const raw of page.data.items ?? []) item(raw);
    continueAt = page.data.metadata.continue ?? '';
    if (!continueAt) return page.data.metadata.resourceVersion;
  }
}
