import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../apiserver/server';
import { Api } from '../controllers/client/api';
import { connectUrl } from '../controllers/connect';
import { runControllers } from '../controllers/run';
import { ensureNodes } from '../scenarios/objects';
import { fastDelays } from './options';

let server: ApiServer;
const stopping = new AbortController();
let stop: () => Promise<void>;

const pods = '/api/v1/namespaces/default/pods';

beforeAll(async () => {
  server = await startApiServer();
  const connection = connectUrl(server.url);
  const api = new Api(connection);
  await ensureNodes(api, 1);
  const running = await runControllers({
    api: connection,
    signal: stopping.signal,
    controllers: false,
    delays: fastDelays,
  });
  stop = running.stop;
  const container = (name: string, image: string) => ({ name, image: `registry.local/${image}:v1` });
  const create = (name: string, ...containers: object[]) =>
    api.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } });
  await create('one', container('main', 'code'));
  await create('two', container('a', 'crash'), container('b', 'bad'));
  api.close();
});

afterAll(async () => {
  stopping.abort();
  await stop();
  await server.close();
});

async function log(rest: string): Promise<[number, string]> {
  const answer = await fetch(`${server.url}${pods}/${rest}`);
  return [answer.status, await answer.text()];
}

it('a container writes a log, and says why it ended', async () => {
  const started = 'simulated container main of one starts (registry.local/code:v1)\n';
  await expect.poll(() => log('one/log')).toEqual([200, `${started}ready\n`]);
  expect(await log('one/log?tailLines=1')).toEqual([200, 'ready\n']);
  expect(await log('one/log?limitBytes=9')).toEqual([200, 'simulated']);
  expect((await log('one/log?timestamps=true&tailLines=1'))[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z ready\n$/);
  await expect
    .poll(async () => (await log('two/log?container=a'))[1])
    .toContain('fatal: simulated crash, exit code 1\n');
});

it('following goes on until the pod is gone', async () => {
  await expect.poll(async () => (await log('one/log'))[0]).toBe(200);
  const answer = await fetch(`${server.url}${pods}/one/log?follow=true`);
  const [{ done, value } = { done: true, value: undefined }, reader] = await (async () => {
    const stream = answer.body?.getReader();
    return [await stream?.read(), stream] as const;
  })();
  expect(done).toBe(false);
  expect(new TextDecoder().decode(value)).toContain('ready\n');
  await fetch(`${server.url}${pods}/one`, { method: 'DELETE' });
  while (!(await reader?.read())?.done);
});

it.each([
  ['none/log', 404, 'pods \\"none\\" not found'],
  ['two/log', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
  ['two/log?container=c', 400, 'container c is not valid for pod two'],
  ['two/log?container=b', 400, 'is waiting to start: trying and failing to pull image'],
  ['two/log?container=a&tailLines=-1', 422, 'must be greater than or equal to 0'],
  ['two/exec?container=a&command=ls', 501, 'no process runs in the containers of pod two'],
  ['two/portforward', 501, 'cannot be reached by portforward'],
])('%s is refused', async (path, code, why) => {
  await expect.poll(() => log(path)).toEqual([code, expect.stringContaining(why)]);
});
