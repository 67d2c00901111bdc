import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiServer, startApiServer } from '../apiserver/server';
import { Api } from '../controllers/client/api';
import { sandboxSchema, sandboxSetSchema, sandboxUpdateOpsSchema } from '../controllers/client/objects';
import { collectionPath, type Resource, resources } from '../controllers/client/resources';
import { type ApiConnection, connectUrl } from '../controllers/connect';
import { runControllers } from '../controllers/run';
import { fastDelays } from '../kubelet/options';
import { defaultScenario, scenarios } from './index';
import { churn } from './large';

let server: ApiServer;
let connection: ApiConnection;
let api: Api;
let ending: AbortController;

beforeEach(async () => {
  server = await startApiServer({ port: 0 });
  connection = connectUrl(server.url);
  api = new Api(connection);
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  api.close();
  await server.close();
});

async function list<T>(resource: Resource, schema: z.ZodType<T>): Promise<T[]> {
  return z.looseObject({ items: z.array(schema) }).parse(await api.get(collectionPath(resource))).items;
}

it('the default one fills its pools, hangs two resumes, fails a hook and keeps an upgrade going', async () => {
  const running = await runControllers({ api: connection, signal: ending.signal, delays: fastDelays });
  const scenario = scenarios[defaultScenario]?.start({ api: connection, signal: ending.signal });
  const full = async () => {
    const sets = await list(resources.sandboxsets, sandboxSetSchema);
    return sets.filter(({ spec, status }) => (status?.availableReplicas ?? 0) >= (spec.replicas ?? 0) - 3).length;
  };
  await expect.poll(full, { timeout: 30_000, interval: 300 }).toBe(4);
  const stuck = async () => {
    const all = await list(resources.sandboxes, sandboxSchema);
    return all.filter(({ metadata, status }) => metadata.labels?.journey === 'checkout' && status?.phase === 'Resuming')
      .length;
  };
  await expect.poll(stuck, { timeout: 30_000, interval: 300 }).toBe(2);
  const operations = async () => {
    const all = await list(resources.sandboxupdateops, sandboxUpdateOpsSchema);
    return all.map(({ metadata, status }) => `${metadata.namespace} ${status?.phase}`).sort();
  };
  await expect
    .poll(operations, { timeout: 30_000, interval: 300 })
    .toEqual(['agents-batch Failed', 'agents-prod Updating']);
  ending.abort();
  await scenario;
  await running.stop();
}, 100_000);

it('the large one writes ready-made objects, which churn stamps with the time', async () => {
  await scenarios.large?.start({ api: connection, signal: ending.signal, sandboxes: 120 });
  const sandboxes = await list(resources.sandboxes, sandboxSchema);
  expect(sandboxes).toHaveLength(120);
  expect(new Set(sandboxes.map(({ metadata }) => metadata.namespace)).size).toBe(5);
  expect(await list(resources.sandboxsets, sandboxSetSchema)).toHaveLength(40);
  const stop = new AbortController();
  const report = churn({ api: connection, ratePerSecond: 100, signal: stop.signal });
  const stamped = async () =>
    (await list(resources.sandboxes, sandboxSchema)).filter(({ status }) => /^t=\d{13}$/.test(status?.message ?? ''))
      .length;
  await expect.poll(stamped, { timeout: 10_000 }).toBeGreaterThan(20);
  stop.abort();
  expect((await report).changes).toBeGreaterThan(20);
}, 30_000);

it('the empty one has nodes and namespaces, and nothing in them', async () => {
  await scenarios.empty?.start({ api: connection, signal: ending.signal });
  expect(await list(resources.nodes, z.unknown())).toHaveLength(3);
  expect(await list(resources.sandboxes, z.unknown())).toEqual([]);
});
