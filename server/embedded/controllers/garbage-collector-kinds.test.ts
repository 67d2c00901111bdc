import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../apiserver/server';
import type { Fault } from '../apiserver/serving/fault-hook';
import { Api } from './client/api';
import { objectSchema } from './client/objects';
import { connectUrl } from './connect';
import { runControllers } from './run';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** What only the collector asks for: things of every namespace. */
const ALL_THINGS = '/apis/example.com/v1/things?';
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'owner' } };

let server: ApiServer;
let api: Api;
let stop: () => Promise<void>;
/** What the collector's lists and watches of things are answered with, in the place of the things. */
let listFault: Fault | undefined;
let watchFault: Fault | undefined;
let asked: { owner: number; lists: number; watches: number };

beforeEach(async () => {
  server = await startApiServer({ port: 0 });
  api = new Api(connectUrl(server.url));
  listFault = { status: 503 };
  watchFault = undefined;
  asked = { owner: 0, lists: 0, watches: 0 };
  server.setFault(({ method, url }) => {
    if (method === 'GET' && url === `${THINGS}/owner`) asked.owner += 1;
    if (!url.startsWith(ALL_THINGS)) return undefined;
    const isWatch = url.includes('watch=true');
    asked[isWatch ? 'watches' : 'lists'] += 1;
    return isWatch ? watchFault : listFault;
  });
  const { signal } = new AbortController();
  ({ stop } = await runControllers({ api: connectUrl(server.url), signal, controllers: false, kubelet: false }));
  await api.create(DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  await expect.poll(() => there(THINGS)).toBe(true);
});

afterEach(async () => {
  await stop();
  api.close();
  await server.close();
});

const there = (path: string) =>
  api.get(path).then(
    () => true,
    () => false,
  );

/** A thing that the collector's copy does not show yet, and a config map of it, which the collector has looked at. */
async function unseenOwner(): Promise<void> {
  // Before it begins with the kind it asks nobody.
  await expect.poll(() => asked.lists).toBeGreaterThan(0);
  const { uid } = objectSchema.parse(await api.create(THINGS, thing)).metadata;
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Thing', name: 'owner', uid }];
  await api.create(CONFIG_MAPS, { metadata: { name: 'owned', ownerReferences } });
  await expect.poll(() => asked.owner).toBeGreaterThan(0);
}

it('collects for an owner that came and went before its kind was watched', async () => {
  await unseenOwner();
  await api.remove(`${THINGS}/owner`);
  listFault = undefined;
  await expect.poll(() => there(`${CONFIG_MAPS}/owned`)).toBe(false);
});

it('collects for a kind that went, though no watch told that its objects did', async () => {
  await unseenOwner();
  watchFault = { hang: true };
  listFault = undefined;
  await expect.poll(() => asked.watches).toBeGreaterThan(0);
  await api.remove(`${DEFINITIONS}/things.example.com`);
  await expect.poll(() => there(`${CONFIG_MAPS}/owned`)).toBe(false);
});
