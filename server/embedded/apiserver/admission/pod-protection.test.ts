import { afterEach, beforeEach, expect, it } from 'vitest';
import { textOf } from '../core/objects';
import { type ApiServer, startApiServer } from '../server';
import { AGENTS, sandbox, send } from '../testing';

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
  const { body } = await send(`${server.url}${AGENTS}/sandboxes`, 'POST', sandbox('a', {}, {}));
  const owner = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name: 'a', controller: true };
  await send(pods(), 'POST', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      labels: { 'agents.kruise.io/created-by': 'sandbox' },
      ownerReferences: [{ ...owner, uid: textOf(body, 'metadata', 'uid') }],
    },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
});
afterEach(() => server.close());

const pods = () => `${server.url}/api/v1/namespaces/default/pods`;
const evict = (user?: string) =>
  send(
    `${pods()}/a/eviction`,
    'POST',
    { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } },
    user === undefined ? {} : { 'Impersonate-User': user, 'Impersonate-Group': 'system:masters' },
  );

it('keeps a node from being drained of sandboxes, by whomever but the controllers', async () => {
  const refused = await evict();
  expect(refused.status).toBe(403);
  expect(refused.body.message).toBe(
    'admission webhook "v-pod-eviction.kb.io" denied the request: cannot delete/evict pod default/a: corresponding sandbox exists. Please delete the sandbox instead',
  );
  expect((await evict('system:serviceaccount:sandbox-system:sandbox-controller-manager')).status).toBe(201);
});

it('protects nothing while the webhooks are away', async () => {
  server.setWebhooksAway(['pods']);
  expect((await evict('somebody')).status).toBe(201);
});
