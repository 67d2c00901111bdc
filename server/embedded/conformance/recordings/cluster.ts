import { Api } from '../../controllers/client/api';
import type { ApiConnection } from '../../controllers/connect';
import { runControllers } from '../../controllers/run';
import { recordedDelays } from '../../kubelet/options';
import { ensureNodes } from '../../scenarios/objects';
import type { ControllersHandle } from './types';

/**
 * Nodes as the recordings had them and the controllers. `controlPlane` false: the API server has its own
 * kube-controller-manager and kube-scheduler. The handle stops and starts the agents.kruise.io controllers; everything else goes
 * on meanwhile.
 */
export async function startRecordingCluster(
  connection: ApiConnection,
  { controlPlane = true }: { controlPlane?: boolean } = {},
): Promise<ControllersHandle & { close(): Promise<void> }> {
  const ending = new AbortController();
  const api = new Api(connection);
  await ensureNodes(api, 3);
  api.close();
  const common = { api: connection, signal: ending.signal, delays: recordedDelays };
  const rest = await runControllers({ ...common, controllers: false, controlPlane });
  const startControllers = () => runControllers({ ...common, kubelet: false, controlPlane: false });
  let controllers = await startControllers();
  return {
    stop: () => controllers.stop(),
    start: async () => {
      controllers = await startControllers();
    },
    close: async () => {
      ending.abort();
      await controllers.stop();
      await rest.stop();
    },
  };
}
