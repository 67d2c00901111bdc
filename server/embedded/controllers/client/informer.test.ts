import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../../apiserver/server';
import { connectUrl } from '../connect';
import { Api } from './api';
import { Informer } from './informer';
import { type KubeObject, objectSchema } from './objects';
import { collectionPath, objectPath, resources } from './resources';

let server: ApiServer;
let api: Api;
let informer: Informer<KubeObject>;
let stopping: AbortController;
let changes: string[];

const pods = collectionPath(resources.pods, 'default');
const path = (name: string) => objectPath(resources.pods, { metadata: { name, namespace: 'default' } });
const create = (name: string) =>
  api.create(pods, { metadata: { name }, spec: { containers: [{ name: 'a', image: 'a' }] } });

beforeEach(async () => {
  server = await startApiServer({ port: 0 });
  api = new Api(connectUrl(server.url));
  await create('one');
  informer = new Informer(api, resources.pods, objectSchema);
  informer.index('name', (object) => object.metadata.name);
  changes = [];
  informer.onChange((before, after) => {
    changes.push(`${before === undefined ? '' : 'was '}${after === undefined ? 'gone' : after.metadata.name}`);
  });
  stopping = new AbortController();
  void informer.run(stopping.signal);
  await informer.synced;
});
afterEach(async () => {
  stopping.abort();
  api.close();
  await server.close();
});

it('lists, then follows the watch, and keeps its indexes', async () => {
  await create('two');
  await expect.poll(() => informer.lookup('name', 'two')).toHaveLength(1);
  await api.remove(path('one'), { gracePeriodSeconds: 0 });
  await expect.poll(() => informer.get('default/one')).toBeUndefined();
  expect(informer.lookup('name', 'one')).toEqual([]);
  expect(changes).toEqual(['one', 'two', 'was one', 'was gone']);
});

it('lists anew when it is asked to, also while it lists, and goes on', async () => {
  const lists: string[] = [];
  server.setFault(({ url }) => {
    if (!url.includes('watch=true')) lists.push(url);
    return undefined;
  });
  await informer.renew();
  expect(lists).toHaveLength(1);
  const first = informer.renew();
  await expect.poll(() => lists.length).toBeGreaterThan(1);
  await Promise.all([first, informer.renew()]);
  await create('two');
  await expect.poll(() => changes).toEqual(['one', 'two']);
});

it('is done at once with a list of what is not installed', async () => {
  server.setFault(() => ({ status: 404, body: '404 page not found' }));
  await informer.renew();
});

it('goes on after the watch was closed', async () => {
  server.closeAllWatches();
  await create('two');
  await expect.poll(() => changes, { timeout: 5000 }).toEqual(['one', 'two']);
});

it('lists again when its version is too old, and notices what was deleted meanwhile', async () => {
  server.setFault(({ url }) => (url.includes('watch=true') ? { status: 500, body: 'down' } : undefined));
  server.closeAllWatches();
  await api.remove(path('one'), { gracePeriodSeconds: 0 });
  await create('two');
  server.compact();
  server.setFault(undefined);
  await expect.poll(() => informer.get('default/two')?.metadata.name, { timeout: 8000 }).toBe('two');
  expect(informer.get('default/one')).toBeUndefined();
});

it('takes the same name with another uid for another object', async () => {
  const first = informer.get('default/one')?.metadata.uid;
  await api.remove(path('one'), { gracePeriodSeconds: 0 });
  await create('one');
  await expect.poll(() => informer.get('default/one')?.metadata.uid !== first && changes.length).toBe(4);
  expect(changes).toEqual(['one', 'was one', 'was gone', 'one']);
});

it('goes on, for the other handlers too, after one that failed', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  informer.onChange((_before, after) => {
    if (after?.metadata.name === 'two') throw new Error('cannot take two');
  });
  const later: string[] = [];
  informer.onChange((_before, after) => void later.push(after?.metadata.name ?? 'gone'));
  await create('two');
  await create('three');
  await expect.poll(() => later).toEqual(['two', 'three']);
  expect(changes).toEqual(['one', 'two', 'three']);
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('pods default/two'), expect.any(Error));
  logged.mockRestore();
});

it('is empty, and synced, for a kind that is not installed', async () => {
  const missing = new Informer(api, { ...resources.checkpoints, plural: 'nothings' }, objectSchema);
  void missing.run(stopping.signal);
  await missing.synced;
  expect([...missing.list()]).toEqual([]);
});
