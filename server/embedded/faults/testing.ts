import { startApiServer } from '../apiserver/server';
import { startControl } from '../control/server';
import { Api } from '../controllers/client/api';
import { connectUrl } from '../controllers/connect';
import { runControllers } from '../controllers/run';
import { Switches } from '../controllers/switches';
import { fastDelays } from '../kubelet/options';
import { Scenarios } from '../scenarios/manager';
import { ensureNodes } from '../scenarios/objects';
import { Stage } from '../scenarios/traps/stage';
import { ApiDoor } from './api-door';
import { Faults } from './registry';

/** A small cluster with everything that can fail, its control door, and a stage in the namespace default. */
export async function startPractice() {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const api = new Api(connection);
  await ensureNodes(api, 2);
  const switches = new Switches();
  const delays = { ...fastDelays, pullBackOff: 300, pullRetry: 300, crashBackOff: 200 };
  const running = await runControllers({ api: connection, signal: new AbortController().signal, delays, switches });
  const faults = new Faults({
    door: new ApiDoor(server, (person, token) => server.setToken(person, token ?? `practice-${person}`)),
    switches,
    api,
    controlPlane: true,
  });
  const scenarios = new Scenarios(connection, faults);
  const control = await startControl(0, scenarios, faults);
  const stage = new Stage(api, 'default', faults, new AbortController().signal, 'test', []);
  /** Asks the control door. */
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${control.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return {
    server,
    faults,
    stage,
    /** What the controllers' `/metrics` says. */
    metrics: running.metrics,
    control,
    ask,
    /** Starts a fault by the door; answers how to end it. */
    fault: async (name: string, params: object = {}) => {
      const { status, body } = await ask('POST', `/faults/${name}`, { params });
      if (status !== 201) throw new Error(String(body.error));
      return async () => void (await ask('DELETE', `/faults/${String(body.id)}`));
    },
    close: async () => {
      await control.close();
      await faults.endAll();
      scenarios.close();
      await running.stop();
      api.close();
      await server.close();
    },
  };
}
