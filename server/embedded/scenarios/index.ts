import { Api } from '../controllers/client/api';
import { large } from './large';
import { lively } from './lively';
import { ensureNamespace, ensureNodes, ensureRuntimes } from './objects';
import { batch, prod } from './pools';
import type { Scenario, ScenarioContext } from './scenario';

async function empty({ api: connection }: ScenarioContext): Promise<void> {
  const api = new Api(connection);
  for (const namespace of [prod, batch]) await ensureNamespace(api, namespace);
  await ensureRuntimes(api);
  await ensureNodes(api, 3);
  api.close();
}

/** The situations that the embedded cluster can start with, by the name given to `--scenario`. */
export const scenarios: Record<string, Scenario> = {
  lively: {
    title:
      'three pools with steady claims, pauses and upgrades, two stuck resumes and a failing hook, and an empty pool',
    controllers: true,
    start: lively,
  },
  empty: { title: 'namespaces and nodes, nothing else', controllers: true, start: empty },
  large: {
    title: 'many sandboxes at rest (10000, or --sandboxes N) in 40 pools and 5 namespaces',
    controllers: false,
    start: large,
  },
};

export const defaultScenario = 'lively';
