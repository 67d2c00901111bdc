import { type ApiConnection, connectKubeconfig, connectUrl, isLoopback } from '../controllers/connect';
import type { Abilities } from './api/refusals';
import type { ConformanceOptions } from './run';
import type { KubectlCluster } from './with-kubectl';

/** The cluster is not on this machine, and nobody said that it may be used. */
export class NotLocal extends Error {}

interface Asked {
  connection: ApiConnection;
  cluster: KubectlCluster;
  abilities: Abilities;
}

/** The server that is asked, and what can be done to it besides asking. */
export async function connect(
  options: Pick<ConformanceOptions, 'kubeconfig' | 'context' | 'yes'>,
  say: (line: string) => void,
  atStop: (stop: () => Promise<void>) => void,
): Promise<Asked> {
  if (options.kubeconfig === undefined) {
    const { startApiServer } = await import('../apiserver/server');
    const server = await startApiServer({ anonymous: 'refused' });
    atStop(() => server.close());
    const abilities = { webhooks: true, compact: () => server.compact(), setWebhooksAway: server.setWebhooksAway };
    const connection = connectUrl(server.url, { Authorization: 'Bearer practice-admin' });
    return { connection, abilities, cluster: server };
  }
  const { kubeconfig, context } = options;
  const connection = connectKubeconfig(kubeconfig, context);
  if (options.yes !== true && !isLoopback(connection)) {
    throw new NotLocal(`${connection.baseUrl} is not on this machine, and this makes and deletes objects there.`);
  }
  const { serveWebhooks, WebhooksOutOfReach } = await import('../webhooks/server');
  const webhooks = await serveWebhooks(connection, atStop).catch((error: unknown) => {
    if (!(error instanceof WebhooksOutOfReach)) throw error;
    say(`${error.message} What the webhooks refuse is left out.`);
    return undefined;
  });
  const cluster = { kubeconfig, context };
  if (webhooks === undefined) return { connection, cluster, abilities: { webhooks: false } };
  return { connection, cluster, abilities: { webhooks: true, setWebhooksAway: webhooks.setAway } };
}
