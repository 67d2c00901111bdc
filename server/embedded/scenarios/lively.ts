import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../controllers/client/api';
import { ensureNamespace, ensureNodes, ensureRuntimes } from './objects';
import { batch, browserTools, dataNotebook, ensurePool, prod, pythonCold, pythonTools } from './pools';
import type { ScenarioContext } from './scenario';
import { sessionBeat } from './sessions';
import { stuckResumes } from './stuck';
import { failingHook, upgradeBeat } from './upgrades';

const beatMs = 3000;

/** Everything is looked up in the cluster at each beat, so nothing grows and a restart goes on where it was. */
export async function lively({ api: connection, signal }: ScenarioContext): Promise<void> {
  const api = new Api(connection);
  for (const namespace of [prod, batch]) await ensureNamespace(api, namespace);
  await ensureRuntimes(api);
  await ensureNodes(api, 7);
  for (const plan of [pythonTools, pythonCold, browserTools, dataNotebook]) await ensurePool(api, plan);
  while (!signal.aborted) {
    for (const part of [stuckResumes, failingHook, upgradeBeat, sessionBeat])
      await part(api).catch((error) => {
        // People change this cluster, too: what does not work now may work at the next beat.
        if (!signal.aborted) console.warn(`scenario: ${part.name}: ${String(error)}`);
      });
    await sleep(beatMs, undefined, { signal }).catch(() => {});
  }
  api.close();
}
