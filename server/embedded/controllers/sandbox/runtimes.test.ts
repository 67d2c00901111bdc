import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../../apiserver/server';
import { Api } from '../client/api';
import { collectionPath, resources } from '../client/resources';
import { connectUrl } from '../connect';
import { injectionConfig, injectRuntimes } from './runtimes';

let server: ApiServer;
let api: Api;
beforeAll(async () => {
  server = await startApiServer({ port: 0 });
  api = new Api(connectUrl(server.url));
  const { namespace } = injectionConfig.metadata;
  await api.create(collectionPath(resources.namespaces), { metadata: { name: namespace } });
  await api.create(collectionPath(resources.configmaps, namespace), {
    ...injectionConfig,
    data: {
      'agent-runtime': JSON.stringify({
        csiSidecar: [{ name: 'agent-runtime', image: 'runtime' }],
        mainContainer: { env: [{ name: 'PORT', value: '49983' }], lifecycle: { postStart: exec('run') } },
        volume: [{ name: 'envd', emptyDir: {} }],
      }),
      csi: JSON.stringify({
        csiSidecar: [{ name: 'csi-sidecar', image: 'csi' }],
        mainContainer: { env: [{ name: 'PORT', value: '1' }], volumeMounts: [{ name: 'csi', mountPath: '/csi' }] },
        volume: [
          { name: 'envd', emptyDir: {} },
          { name: 'csi', emptyDir: {} },
        ],
      }),
      'traffic-proxy': JSON.stringify({
        labels: { app: 'proxy', proxied: 'yes' },
        containers: [{ name: 'proxy', image: 'proxy' }],
      }),
    },
  });
});
afterAll(async () => {
  api.close();
  await server.close();
});

const exec = (...command: string[]) => ({ exec: { command } });
const template = (more: object = {}) => ({
  metadata: { labels: { app: 'mine' } },
  spec: { containers: [{ name: 'main', image: 'code', ...more }] },
});
const runtimes = (...names: string[]) => names.map((name) => ({ name }));

it('adds the built-in ones first, and what they want of the main container', async () => {
  const { spec } = await injectRuntimes(api, template(), runtimes('csi', 'agent-runtime'));
  expect(spec?.initContainers?.map(({ name }) => name)).toEqual(['agent-runtime', 'csi-sidecar']);
  expect(spec?.containers).toEqual([
    {
      name: 'main',
      image: 'code',
      env: [{ name: 'PORT', value: '49983' }],
      lifecycle: { postStart: exec('run') },
      volumeMounts: [{ name: 'csi', mountPath: '/csi' }],
    },
  ]);
  expect(spec?.volumes?.map(({ name }) => name)).toEqual(['envd', 'csi']);
});

it('hands the user’s own start command on', async () => {
  const own = template({ lifecycle: { postStart: exec('mine', '-x') } });
  const { spec } = await injectRuntimes(api, own, runtimes('agent-runtime'));
  expect(spec?.containers?.[0]).toMatchObject({ lifecycle: { postStart: exec('run', '--', 'mine', '-x') } });
});

it('leaves a template alone that has the sidecar', async () => {
  const own = { spec: { ...template().spec, initContainers: [{ name: 'agent-runtime', image: 'own' }] } };
  expect(await injectRuntimes(api, own, runtimes('agent-runtime'))).toEqual(own);
});

it('merges others, and the user’s labels win', async () => {
  const { metadata, spec } = await injectRuntimes(api, template(), runtimes('traffic-proxy'));
  expect(metadata?.labels).toEqual({ app: 'mine', proxied: 'yes' });
  expect(spec?.containers?.map(({ name }) => name)).toEqual(['main', 'proxy']);
});

it('refuses what it does not know, and names that are taken', async () => {
  await expect(injectRuntimes(api, template(), runtimes('nothing'))).rejects.toThrow(
    'injection template nothing not found',
  );
  const taken = { spec: { containers: [{ name: 'proxy', image: 'own' }] } };
  await expect(injectRuntimes(api, taken, runtimes('traffic-proxy'))).rejects.toThrow(
    'failed to inject runtime traffic-proxy: inject conflicting with container: proxy',
  );
});
