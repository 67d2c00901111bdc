import { z } from 'zod';
import { type Api, isNotFound } from './client/api';
import { metadataSchema } from './client/objects';
import { collectionPath, objectPath, resources } from './client/resources';

const lifeMs = 3_600_000;
const intervalMs = 300_000;

const page = z.looseObject({
  metadata: z.looseObject({ continue: z.string().optional() }),
  items: z.array(
    z.looseObject({ metadata: metadataSchema, lastTimestamp: z.string().nullish(), eventTime: z.string().nullish() }),
  ),
});

/** Deletes events an hour after they were last seen, as a kube-apiserver does by default; looks every five minutes. */
export function expireEvents(api: Api, signal: AbortSignal): void {
  const sweep = async () => {
    let token = '';
    do {
      const query = `?limit=500${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
      const { items, metadata } = page.parse(await api.get(`${collectionPath(resources.events)}${query}`));
      for (const event of items) {
        const last = event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '';
        if (Date.now() - Date.parse(last) < lifeMs) continue;
        await api.remove(objectPath(resources.events, event)).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
      token = metadata.continue ?? '';
    } while (token !== '' && !signal.aborted);
  };
  const timer = setInterval(() => {
    sweep().catch((error) => console.warn(`events could not be expired: ${String(error)}`));
  }, intervalMs);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
