import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../server';
import { send } from '../testing';

let servers: ApiServer[];
beforeAll(async () => {
  servers = await Promise.all([startApiServer({ port: 0 }), startApiServer({ port: 0 })]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const operations = '/apis/agents.kruise.io/v1alpha1/namespaces/default/sandboxupdateops';
const create = (server: ApiServer | undefined, name: string, query = '', spec: object = {}) =>
  send(`${server?.url}${operations}${query}`, 'POST', {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxUpdateOps',
    metadata: { name },
    spec: { selector: {}, ...spec },
  });

it('overlooks an operation that was accepted a moment ago, and no other server’s', async () => {
  const [one, other] = servers;
  expect((await create(one, 'up-1')).status).toBe(201);
  expect((await create(one, 'up-2')).status).toBe(201);
  const another = async () => (await create(one, 'up-3', '?dryRun=All')).status;
  await expect.poll(another).toBe(422);
  // The same names on another server, just now.
  expect((await create(other, 'up-1')).status).toBe(201);
  expect((await create(other, 'up-2')).status).toBe(201);
  expect(await another()).toBe(422);
});

it('tells the first image that a checkpoint could not keep, main containers first', async () => {
  const updateStrategy = { type: 'CheckpointRestore' };
  const refusal = async (spec: object) =>
    (await create(servers[0], 'images', '?dryRun=All', { updateStrategy, patch: { spec } })).body.message;
  const of = (...names: string[]) => names.map((name) => ({ name, image: 'code:v2' }));
  const denied = (what: string, name: string) =>
    `admission webhook "v-suo.kb.io" denied the request: spec.patch: Forbidden: CheckpointRestore strategy does not support modifying ${what} (container "${name}")`;
  const initContainers = of('c', 'd');
  expect(await refusal({ containers: of('a', 'b'), initContainers })).toBe(denied('container images', 'a'));
  const containers = [{ name: 'a', image: '' }];
  expect(await refusal({ containers, initContainers })).toBe(denied('init container images', 'c'));
});
