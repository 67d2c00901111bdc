import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiServer } from '../../apiserver/server';
import { Api } from '../../controllers/client/api';
import { connectUrl } from '../../controllers/connect';
import { perform, requestOf } from './steps';

let api: Api;
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = await startApiServer({ port: 0 });
  api = new Api(connectUrl(server.url));
  stop = async () => {
    api.close();
    await server.close();
  };
});
afterAll(() => stop());

const pool = JSON.stringify({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'SandboxSet',
  metadata: { name: 'web' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'main', image: 'a:1' }] } } },
});
const path = '/apis/agents.kruise.io/v1alpha1/namespaces/default/sandboxsets/web';

async function run(action: string, more: { stdin?: string; failed?: boolean } = {}): Promise<void> {
  const step = { t: 0, action, ...more };
  const request = requestOf(step, (text) => text);
  await perform(api, 'default', step, request, request.name);
}

describe('the steps of a recording', () => {
  it('are the requests that kubectl made of them', async () => {
    await run('kubectl create -f -', { stdin: pool });
    await run('kubectl apply -f -', { stdin: pool.replace('"replicas":1', '"replicas":3') });
    await run(
      'kubectl patch sbs web --type json -p \'[{"op":"add","path":"/metadata/annotations","value":{"a":"b c"}}]\'',
    );
    await run('kubectl annotate sandboxsets.agents.kruise.io/web note=1 other=2');
    await run('kubectl annotate sbs web other-');
    await run('kubectl label sandboxset web team=blue --overwrite');
    expect(await api.get(path)).toMatchObject({
      metadata: { labels: { team: 'blue' }, annotations: { a: 'b c', note: '1' } },
      spec: { replicas: 3 },
    });
    await run('kubectl scale sandboxsets.agents.kruise.io web --replicas 7');
    await run(
      'kubectl patch sbs web --subresource status --type merge -p \'{"status":{"replicas":2,"availableReplicas":2}}\'',
    );
    expect(await api.get(path)).toMatchObject({ spec: { replicas: 7 }, status: { replicas: 2 } });
    await run('kubectl delete sbs web --wait=false');
    await expect(api.get(path)).rejects.toThrow('not found');
  });

  it('are refused where they were refused, and only there', async () => {
    await run('POST sandboxsets web', { stdin: pool });
    await run('kubectl create -f -', { stdin: pool, failed: true });
    await expect(run('kubectl create -f -', { stdin: pool })).rejects.toThrow('already exists');
    await expect(run('kubectl scale sbs web --replicas 2', { failed: true })).rejects.toThrow('accepted here');
  });

  it.each([
    'kubectl drain node-a',
    'helm install agents',
    'kubectl patch widgets a -p {}',
    'kubectl delete sbx',
    'kubectl',
  ])('%s is not understood', (action) => {
    expect(() => requestOf({ t: 0, action }, (text) => text)).toThrow(`step not understood: ${action}`);
  });
});
