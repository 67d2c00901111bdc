import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInPrincipal, type Principal } from '../access/principal';
import { makeAudit } from '../history/audit';
import { log } from '../log';
import { readAccess } from './access/read-access';
import type { ServiceContext } from './context';
import { readObject } from './objects/read-object';
import { patchPoolTemplate } from './pools/patch-pool-template';
import { scalePool } from './pools/scale-pool';
import { type ContractCluster, contractCluster, realKubeconfig } from './testing/contract-cluster';
import { template } from './testing/fake-cluster';
import { lineOf } from './testing/recorded';

describe('services on an API server', () => {
  let cluster: ContractCluster;
  const namespace = `services-${Date.now()}`;
  const pools = `/apis/agents.kruise.io/v1alpha1/namespaces/${namespace}/sandboxsets`;
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;

  const contextOf = (principal: Principal): ServiceContext => ({
    cluster: {
      client: { request: (call) => cluster.client.request(call) },
      freshness: () => ({ kinds: [], cluster: { name: 'c', server: 's', embedded: false, missing: [] } }),
    },
    principal,
    requestId: 'contract',
    audit: makeAudit(log),
    now: Date.now,
  });
  const ctx = contextOf(builtInPrincipal());
  const scaler = contextOf({ subject: 'sally', groups: [], impersonate: true });

  async function createPool(name: string, replicas: number) {
    const body = {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxSet',
      metadata: { name },
      spec: { replicas, template: template() },
    };
    const answer = await cluster.client.request({ method: 'POST', path: pools, body });
    return (answer.body as { metadata: { uid: string } }).metadata.uid;
  }
  const read = async (name: string) =>
    (await cluster.client.request({ method: 'GET', path: `${pools}/${name}` })).body as {
      metadata: { generation: number; resourceVersion: string };
      spec: { replicas: number; template: ReturnType<typeof template> };
    };

  afterAll(() => cluster.close());

  beforeAll(async () => {
    cluster = await contractCluster();
    await cluster.client.request({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: namespace } },
    });
    await cluster.client.request({
      method: 'POST',
      path: `${rbac}/roles`,
      body: {
        metadata: { name: 'pool-scaler' },
        rules: [
          { apiGroups: ['agents.kruise.io'], resources: ['sandboxsets', 'sandboxes'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['agents.kruise.io'], resources: ['sandboxsets/scale'], verbs: ['get', 'patch'] },
        ],
      },
    });
    await cluster.client.request({
      method: 'POST',
      path: `${rbac}/rolebindings`,
      body: {
        metadata: { name: 'sally' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'pool-scaler' },
        subjects: [{ kind: 'User', name: 'sally', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    });
  });

  it('scales up, to zero and back, dry run first, and sees who was faster', async () => {
    const uid = await createPool('scaled', 3);
    const pool = { namespace, name: 'scaled' };
    const ask = { uid, from: 3, to: 5, dryRun: true };
    expect(await scalePool(ctx, pool, ask)).toMatchObject({ ok: true, value: { dryRun: true, changed: true } });
    expect((await read('scaled')).spec.replicas).toBe(3);
    expect(await scalePool(ctx, pool, { ...ask, dryRun: false })).toMatchObject({ ok: true, value: { after: 5 } });
    expect(await scalePool(ctx, pool, { ...ask, to: 9 })).toMatchObject({
      problem: {
        code: 'conflict',
        message: expect.stringMatching(/has 5 replicas now, not 3: changed by operator through this console/),
      },
    });
    expect(await scalePool(ctx, pool, { uid, from: 5, to: 0, dryRun: false })).toMatchObject({ ok: true });
    expect((await read('scaled')).spec.replicas).toBe(0);
    expect(await scalePool(ctx, pool, { uid, from: 0, to: 0, dryRun: false })).toMatchObject({
      value: { changed: false },
    });
    expect(await scalePool(ctx, pool, { uid, from: 0, to: 2, dryRun: false })).toMatchObject({ ok: true });
    expect((await read('scaled')).spec).toMatchObject({ replicas: 2, template: template() });
    expect(await scalePool(ctx, pool, { uid: 'other', from: 2, to: 3, dryRun: false })).toMatchObject({
      problem: { code: 'precondition_failed' },
    });
    expect(await scalePool(ctx, { namespace, name: 'gone' }, ask)).toMatchObject({ problem: { code: 'not_found' } });
  });

  it('changes one image and one variable and leaves all else, while the status is being written', async () => {
    const uid = await createPool('rolled', 1);
    const pool = { namespace, name: 'rolled' };
    // What the webhook has made of the template, where there is one.
    const seen = (await read('rolled')).spec.template;
    const ask = {
      uid,
      dryRun: false,
      before: seen,
      change: {
        by: 'form' as const,
        containers: [
          { init: false, name: 'sandbox', image: 'registry.local/code:v2', env: [{ name: 'NEW', value: '1' }] },
        ],
      },
    };
    let writing = true;
    const churn = (async () => {
      for (let replicas = 0; writing; replicas = (replicas + 1) % 5) {
        await cluster.client.request({
          method: 'PATCH',
          path: `${pools}/rolled/status`,
          contentType: 'application/merge-patch+json',
          body: { status: { replicas, availableReplicas: 0 } },
        });
      }
    })();
    const dry = await patchPoolTemplate(ctx, pool, { ...ask, dryRun: true });
    const done = await patchPoolTemplate(ctx, pool, ask);
    writing = false;
    await churn;
    expect(dry).toMatchObject({ ok: true, value: { changed: true, dryRun: true } });
    expect(done).toMatchObject({ ok: true, value: { changed: true, generation: 2 } });
    const expected = structuredClone(seen);
    expected.spec.containers = expected.spec.containers.map((c) => ({
      ...c,
      image: 'registry.local/code:v2',
      env: [...c.env, { name: 'NEW', value: '1' }],
    }));
    expect((await read('rolled')).spec.template).toEqual(expected);

    expect(await patchPoolTemplate(ctx, pool, ask)).toMatchObject({
      ok: true,
      value: { changed: false },
    });
    const other = {
      ...ask,
      change: { by: 'form' as const, containers: [{ init: false, name: 'sandbox', image: 'x:3' }] },
    };
    expect(await patchPoolTemplate(ctx, pool, other)).toMatchObject({
      problem: {
        code: 'conflict',
        fields: expect.arrayContaining([
          { field: 'spec.containers[sandbox].image', message: 'registry.local/code:v2' },
        ]),
      },
    });
  });

  it('lets who may only scale do that, and nothing else, and says so beforehand', async () => {
    const uid = await createPool('shared', 1);
    const pool = { namespace, name: 'shared' };
    expect(await readAccess(scaler, namespace)).toMatchObject({
      value: {
        person: { subject: 'sally', impersonated: true },
        actions: { scalePool: { state: 'allowed' }, patchPoolTemplate: { state: 'denied' } },
      },
    });
    expect(await scalePool(scaler, pool, { uid, from: 1, to: 2, dryRun: false })).toMatchObject({ ok: true });
    expect(
      await patchPoolTemplate(scaler, pool, {
        uid,
        dryRun: true,
        before: template(),
        change: { by: 'form', containers: [{ init: false, name: 'sandbox', image: 'x:3' }] },
      }),
    ).toMatchObject({ problem: { code: 'forbidden' } });
    expect(await readAccess(scaler, 'default')).toMatchObject({
      value: { actions: { scalePool: { state: 'denied' } } },
    });
    expect(await readObject(scaler, { kind: 'sandboxsets', ...pool })).toMatchObject({
      ok: true,
      value: { events: null, eventsProblem: expect.stringContaining('cannot list resource "events"') },
    });
  });

  it('reads an object with its events', async () => {
    const uid = await createPool('read', 0);
    await cluster.client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/events`,
      body: {
        metadata: { name: 'read.1' },
        involvedObject: { kind: 'SandboxSet', name: 'read', namespace, uid },
        reason: 'SandboxCreated',
        message: 'x',
        type: 'Normal',
        lastTimestamp: '2026-11-30T10:00:00Z',
      },
    });
    expect(await readObject(ctx, { kind: 'sandboxsets', namespace, name: 'read' })).toMatchObject({
      value: {
        object: { metadata: { uid } },
        events: [{ reason: 'SandboxCreated', at: Date.parse('2026-11-30T10:00:00Z') }],
      },
    });
  });

  it.skipIf(realKubeconfig)('keeps what a webhook says that cannot be reached, and still scales', async () => {
    const uid = await createPool('unhooked', 1);
    const pool = { namespace, name: 'unhooked' };
    const down = lineOf('webhook cannot be reached: change the template');
    cluster.setFault?.(({ method, url }) =>
      method === 'PATCH' && !url.includes('/scale') ? { status: down.status, body: down.response } : undefined,
    );
    const change = { by: 'form' as const, containers: [{ init: false, name: 'sandbox', image: 'x:3' }] };
    const refused = await patchPoolTemplate(ctx, pool, { uid, dryRun: false, before: template(), change });
    const scaled = await scalePool(ctx, pool, { uid, from: 1, to: 2, dryRun: false });
    cluster.setFault?.(undefined);
    expect(refused).toMatchObject({
      problem: { code: 'webhook_unreachable', applied: 'no', message: down.response.message },
    });
    expect(scaled).toMatchObject({ ok: true });
  });

  it.skipIf(realKubeconfig)('does not know what became of a write whose answer was lost', async () => {
    const uid = await createPool('lost', 1);
    cluster.setFault?.(({ method }) => (method === 'PATCH' ? { delayMs: 60_000, hang: true } : undefined));
    const hasty: ServiceContext = {
      ...ctx,
      cluster: { ...ctx.cluster, client: { request: (call) => cluster.client.request({ ...call, timeoutMs: 200 }) } },
    };
    const result = await scalePool(hasty, { namespace, name: 'lost' }, { uid, from: 1, to: 2, dryRun: false });
    cluster.setFault?.(undefined);
    expect(result).toMatchObject({ problem: { code: 'upstream_timeout', applied: 'unknown' } });
    expect((await read('lost')).spec.replicas).toBe(1);
  });
});
