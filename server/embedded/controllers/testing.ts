import { type ApiServer, startApiServer } from '../apiserver/server';
import { fastDelays } from '../kubelet/options';
import { ensureNodes } from '../scenarios/objects';
import { Api } from './client/api';
import type { Cluster } from './cluster';
import { connectUrl } from './connect';
import { runControllers } from './run';

/** An embedded cluster with fast nodes. */
export async function startTestCluster(): Promise<{
  api: Api;
  server: ApiServer;
  cluster: Cluster;
  stop(): Promise<void>;
}> {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const api = new Api(connection);
  await ensureNodes(api, 3);
  const controllers = await runControllers({
    api: connection,
    signal: new AbortController().signal,
    delays: fastDelays,
  });
  return {
    api,
    server,
    cluster: controllers.cluster,
    stop: async () => {
      await controllers.stop();
      api.close();
      await server.close();
    },
  };
}
