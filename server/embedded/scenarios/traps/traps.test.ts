import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiServer, startApiServer } from '../../apiserver/server';
import { Api } from '../../controllers/client/api';
import { collectionPath, resources } from '../../controllers/client/resources';
import { type ApiConnection, connectUrl } from '../../controllers/connect';
import { runControllers } from '../../controllers/run';
import { Switches } from '../../controllers/switches';
import { ApiDoor } from '../../faults/api-door';
import { Faults } from '../../faults/registry';
import { fastDelays } from '../../kubelet/options';
import { Scenarios } from '../manager';
import { impossibleTraps, trapScenarios } from './index';

let server: ApiServer;
let connection: ApiConnection;
let scenarios: Scenarios;
let faults: Faults;
let api: Api;
let stop: () => Promise<void>;

beforeAll(async () => {
  server = await startApiServer({ port: 0 });
  connection = connectUrl(server.url);
  api = new Api(connection);
  const switches = new Switches();
  const ending = new AbortController();
  const delays = { ...fastDelays, pullBackOff: 500, crashBackOff: 200 };
  const running = await runControllers({ api: connection, signal: ending.signal, delays, switches });
  faults = new Faults({ door: new ApiDoor(server), switches, api, controlPlane: true });
  scenarios = new Scenarios(connection, faults);
  stop = async () => {
    scenarios.close();
    await running.stop();
    api.close();
    await server.close();
  };
});
afterAll(() => stop());

const names = async (path: string) => {
  const { items } = z
    .looseObject({ items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })) })
    .parse(await api.get(path));
  return items.map(({ metadata }) => metadata.name);
};

async function startAndCheck(name: string): Promise<string[]> {
  await scenarios.start(name).started;
  const { phase, message } = scenarios.state(name);
  if (phase !== 'standing') return [`${name} ${phase}: ${message}`];
  const stage = scenarios.stage(name);
  if (stage === undefined) return [`${name} has no stage`];
  const shown = Object.entries(trapScenarios[name]?.traps ?? {}).map(async ([trap, rule]) => {
    // A rule may need what other watchers see a moment later.
    const shown = stage.until(() => rule(stage), Boolean, trap);
    return shown.then(
      () => [],
      (error: unknown) => [String(error)],
    );
  });
  return (await Promise.all(shown)).flat();
}

it('every trap is produced by a scenario, or cannot exist here', () => {
  const produced = Object.values(trapScenarios).flatMap(({ traps }) => Object.keys(traps));
  const all = Array.from({ length: 59 }, (_, number) => `T${number + 1}`);
  expect(all.filter((trap) => !produced.includes(trap) && !(trap in impossibleTraps))).toEqual([]);
  expect(produced.filter((trap) => trap in impossibleTraps)).toEqual([]);
});

it('all of them side by side show their traps, and their end leaves nothing behind', async () => {
  const narrow = Object.keys(trapScenarios).filter((name) => trapScenarios[name]?.wide !== true);
  const wide = Object.keys(trapScenarios).filter((name) => trapScenarios[name]?.wide === true);
  expect((await Promise.all(narrow.map(startAndCheck))).flat()).toEqual([]);
  for (const name of wide) {
    expect(await startAndCheck(name)).toEqual([]);
    await scenarios.end(name);
  }
  await scenarios.endAll();
  expect(faults.active).toEqual([]);
  const namespaces = await names(collectionPath(resources.namespaces));
  expect(namespaces.filter((name) => name.startsWith('trap-'))).toEqual([]);
  for (const resource of [resources.sandboxes, resources.sandboxsets, resources.pods, resources.sandboxupdateops]) {
    expect(await names(collectionPath(resource))).toEqual([]);
  }
  expect(await names(collectionPath(resources.nodes))).toEqual(['worker-01', 'worker-02', 'worker-03']);
}, 120_000);
