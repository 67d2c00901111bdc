import { startApiServer } from '../../apiserver/server';
import { fastDelays } from '../../kubelet/options';
import { ensureNodes } from '../../scenarios/objects';
import { Api } from '../client/api';
import { objectSchema } from '../client/objects';
import { collectionPath, type Resource, resources } from '../client/resources';
import { type ApiConnection, connectUrl } from '../connect';
import { runControllers } from '../run';
import type { Seen } from './recording';

const watched: Resource[] = [
  resources.sandboxes,
  resources.sandboxsets,
  resources.sandboxclaims,
  resources.sandboxupdateops,
  resources.sandboxtemplates,
  resources.checkpoints,
  resources.pods,
  resources.events,
];

export interface TestCluster {
  api: Api;
  connection: ApiConnection;
  /** Everything that was seen in the namespace so far. */
  seen(namespace: string): Seen[];
  stop(): Promise<void>;
}

/** An embedded cluster with fast nodes, and a watcher that keeps every change of it. */
export async function startTestCluster(): Promise<TestCluster> {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const stopping = new AbortController();
  const api = new Api(connection);
  const start = Date.now();
  const byNamespace = new Map<string, Seen[]>();
  const watches = watched.map((resource) =>
    api
      .watch(`${collectionPath(resource)}?watch=true`, stopping.signal, 600_000, (line) => {
        const event = JSON.parse(line) as { type: string; object: unknown };
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED') return;
        const object = objectSchema.parse(event.object);
        const namespace = object.metadata.namespace ?? '';
        const list = byNamespace.get(namespace) ?? [];
        list.push({ t: (Date.now() - start) / 1000, kind: resource.plural, type: event.type, object });
        byNamespace.set(namespace, list);
      })
      .catch(() => {}),
  );
  await ensureNodes(api, 3);
  const controllers = await runControllers({ api: connection, signal: stopping.signal, delays: fastDelays });
  return {
    api,
    connection,
    seen: (namespace) => byNamespace.get(namespace) ?? [],
    stop: async () => {
      stopping.abort();
      await controllers.stop();
      await Promise.all(watches);
      api.close();
      await server.close();
    },
  };
}
