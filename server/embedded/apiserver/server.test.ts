import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldsOf, listOf, textOf } from './core/objects';
import { type ApiServer, startApiServer } from './server';
import { AGENTS, openWatch, pod, sandbox, send, summary, versionOf } from './testing';

let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer();
});

afterEach(() => server.close());

const boxes = () => `${server.url}${AGENTS}/sandboxes`;
const pods = () => `${server.url}/api/v1/namespaces/default/pods`;

describe('writes', () => {
  it('makes no version and no event of a write that changes nothing', async () => {
    await send(boxes(), 'POST', sandbox('a', { x: '1' }));
    const before = await send(`${boxes()}/a`, 'GET');
    const watch = await openWatch(`${boxes()}?watch=1&resourceVersion=${versionOf(before.body)}`);
    const same = await send(`${boxes()}/a`, 'PATCH', { metadata: { labels: { x: '1' } } });
    expect(versionOf(same.body)).toBe(versionOf(before.body));
    await send(`${boxes()}/a`, 'PATCH', { metadata: { labels: { x: '2' } } });
    expect(summary(await watch.until(1))).toEqual(['MODIFIED a']);
    watch.stop();
  });

  it('counts a generation for the spec, not for metadata or status', async () => {
    await send(boxes(), 'POST', sandbox('a'));
    const generation = async (path: string, patch: object) =>
      fieldsOf((await send(`${boxes()}/a${path}`, 'PATCH', patch)).body, 'metadata').generation;
    expect(await generation('', { metadata: { labels: { x: '1' } } })).toBe(1);
    expect(await generation('/status', { status: { phase: 'Running' } })).toBe(1);
    expect(await generation('', { spec: { paused: true } })).toBe(2);
  });

  it('keeps dry runs to itself', async () => {
    const created = await send(`${boxes()}?dryRun=All`, 'POST', sandbox('a'));
    expect(created.status).toBe(201);
    expect(versionOf(created.body)).toBe('');
    expect((await send(`${boxes()}/a`, 'GET')).status).toBe(404);
    await send(boxes(), 'POST', sandbox('a'));
    const patched = await send(`${boxes()}/a?dryRun=All`, 'PATCH', { spec: { paused: true } });
    expect(patched.body).toMatchObject({ metadata: { generation: 2 }, spec: { paused: true } });
    expect((await send(`${boxes()}/a?dryRun=All`, 'DELETE')).status).toBe(200);
    expect((await send(`${boxes()}/a`, 'GET')).body).toMatchObject({ metadata: { generation: 1 }, spec: {} });
  });

  it('applies a JSON patch that tests what the writer saw', async () => {
    const template = {
      spec: {
        containers: [
          { name: 'a', image: 'one:1' },
          { name: 'b', image: 'two:1' },
        ],
      },
    };
    await send(boxes(), 'POST', sandbox('a', {}, { template }));
    const at = '/spec/template/spec/containers/1';
    const patch = [
      { op: 'test', path: `${at}/name`, value: 'b' },
      { op: 'replace', path: `${at}/image`, value: 'two:2' },
      { op: 'add', path: '/metadata/annotations', value: { 'a/b': '1' } },
      { op: 'copy', from: '/metadata/annotations/a~1b', path: '/metadata/annotations/c' },
    ];
    const headers = { 'Content-Type': 'application/json-patch+json' };
    const { body } = await send(`${boxes()}/a`, 'PATCH', patch, headers);
    expect(body).toMatchObject({
      metadata: { annotations: { 'a/b': '1', c: '1' } },
      spec: { template: { spec: { containers: [{ image: 'one:1' }, { name: 'b', image: 'two:2' }] } } },
    });
    expect(
      (await send(`${boxes()}/a`, 'PATCH', [{ op: 'test', path: `${at}/image`, value: 'two:1' }], headers)).status,
    ).toBe(422);
  });

  it('merges lists of core objects by their keys', async () => {
    await send(pods(), 'POST', pod('a', 'node-a'));
    const headers = { 'Content-Type': 'application/strategic-merge-patch+json' };
    const ready = { type: 'Ready', status: 'False' };
    await send(
      `${pods()}/a/status`,
      'PATCH',
      { status: { conditions: [ready, { type: 'PodScheduled', status: 'True' }] } },
      headers,
    );
    const { body } = await send(
      `${pods()}/a/status`,
      'PATCH',
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      headers,
    );
    expect(listOf(body, 'status', 'conditions')).toMatchObject([
      { type: 'Ready', status: 'True' },
      { type: 'PodScheduled', status: 'True' },
    ]);
    const env = { spec: { containers: [{ name: 'sandbox', image: 'registry.local/code:v2' }] } };
    const patched = await send(`${pods()}/a`, 'PATCH', env, headers);
    expect(listOf(patched.body, 'spec', 'containers')).toMatchObject([
      { image: 'registry.local/code:v2', imagePullPolicy: 'IfNotPresent' },
    ]);
  });

  it('refuses objects in a namespace that is missing or going away', async () => {
    const elsewhere = boxes().replace('/default/', '/elsewhere/');
    expect((await send(elsewhere, 'POST', sandbox('a'))).body.message).toBe('namespaces "elsewhere" not found');
    await send(`${server.url}/api/v1/namespaces`, 'POST', { metadata: { name: 'elsewhere' } });
    await send(elsewhere, 'POST', { ...sandbox('kept'), metadata: { name: 'kept', finalizers: ['a/b'] } });
    await send(`${server.url}/api/v1/namespaces/elsewhere`, 'DELETE');
    const refused = await send(elsewhere, 'POST', sandbox('a'));
    expect(refused).toMatchObject({ status: 403, body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } });
  });

  it('refuses a rule that compares with the stored value only when it changes', async () => {
    const claims = `${server.url}${AGENTS}/sandboxclaims`;
    const claim = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxClaim', metadata: { name: 'c' } };
    const short = await send(claims, 'POST', { ...claim, spec: { templateName: 'web', claimTimeout: '500ms' } });
    expect(short.body.message).toContain(
      'spec.claimTimeout: Invalid value: "500ms": claimTimeout must be at least 1 second',
    );
    expect((await send(claims, 'POST', { ...claim, spec: { templateName: 'web', replicas: 2 } })).status).toBe(201);
    expect((await send(`${claims}/c`, 'PATCH', { spec: { replicas: 2, claimTimeout: '2s' } })).status).toBe(200);
    expect((await send(`${claims}/c`, 'PATCH', { spec: { replicas: 3 } })).status).toBe(422);
  });
});

describe('deletes', () => {
  it('keeps an object until its last finalizer is taken away', async () => {
    await send(boxes(), 'POST', { ...sandbox('a'), metadata: { name: 'a', finalizers: ['agents.kruise.io/sandbox'] } });
    const watch = await openWatch(`${boxes()}?watch=1`);
    const marked = await send(`${boxes()}/a`, 'DELETE');
    expect(marked.body).toMatchObject({ metadata: { generation: 2, deletionGracePeriodSeconds: 0 } });
    await send(`${boxes()}/a`, 'PATCH', { metadata: { finalizers: null } });
    expect(summary(await watch.until(3))).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect((await send(`${boxes()}/a`, 'GET')).status).toBe(404);
    watch.stop();
  });

  it('gives a running pod its grace period, and ends it with grace 0', async () => {
    await send(pods(), 'POST', pod('a'));
    const binding = { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: 'node-a' } };
    expect((await send(`${pods()}/a/binding`, 'POST', binding)).status).toBe(201);
    const marked = await send(`${pods()}/a`, 'DELETE');
    expect(marked.body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 }, spec: { nodeName: 'node-a' } });
    const watch = await openWatch(`${pods()}?watch=1&resourceVersion=${versionOf(marked.body)}`);
    await send(`${pods()}/a`, 'DELETE', { gracePeriodSeconds: 0 });
    expect(summary(await watch.until(2))).toEqual(['MODIFIED a', 'DELETED a']);
    watch.stop();
  });

  it('keeps a namespace that is deleted until its own finalizer is let go', async () => {
    const team = `${server.url}/api/v1/namespaces/team`;
    await send(`${server.url}/api/v1/namespaces`, 'POST', { metadata: { name: 'team' } });
    const watch = await openWatch(`${server.url}/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dteam`);
    const marked = await send(team, 'DELETE');
    expect(marked.body).toMatchObject({ status: { phase: 'Terminating' }, spec: { finalizers: ['kubernetes'] } });
    expect((await send(team, 'GET')).status).toBe(200);
    await send(`${team}/finalize`, 'PUT', { ...marked.body, spec: { finalizers: [] } });
    expect(summary(await watch.until(3))).toEqual(['ADDED team', 'MODIFIED team', 'DELETED team']);
    watch.stop();
  });

  it('deletes what a selector selects', async () => {
    for (const [name, x] of [
      ['a', '1'],
      ['b', '2'],
      ['c', '1'],
    ] as const)
      await send(boxes(), 'POST', sandbox(name, { x }));
    await send(`${boxes()}?labelSelector=x%3D1`, 'DELETE');
    const { body } = await send(boxes(), 'GET');
    expect(listOf(body, 'items').map((item) => textOf(item, 'metadata', 'name'))).toEqual(['b']);
  });
});

describe('kinds', () => {
  it('stops serving a kind with its definition, and serves it again when that comes back', async () => {
    const crds = `${server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
    await send(boxes(), 'POST', sandbox('a'));
    const { body: definition } = await send(`${crds}/sandboxes.agents.kruise.io`, 'GET');
    const watch = await openWatch(`${boxes()}?watch=1`);
    await send(`${crds}/sandboxes.agents.kruise.io`, 'DELETE');
    await watch.ended;
    expect((await fetch(boxes())).headers.get('content-type')).toBe('text/plain; charset=utf-8');
    await send(crds, 'POST', { ...definition, metadata: { name: 'sandboxes.agents.kruise.io' } });
    expect(listOf((await send(boxes(), 'GET')).body, 'items')).toEqual([]);
  });

  it('serves an object of a namespace nowhere else', async () => {
    await send(boxes(), 'POST', sandbox('a'));
    const custom = await fetch(`${server.url}/apis/agents.kruise.io/v1alpha1/sandboxes/a`);
    expect([custom.status, await custom.text()]).toEqual([404, '404 page not found\n']);
    expect(await send(`${server.url}/api/v1/pods/x`, 'GET')).toMatchObject({
      status: 404,
      body: { message: 'the server could not find the requested resource', details: {} },
    });
  });

  it('can start without the agents kinds', async () => {
    const bare = await startApiServer({ agents: false });
    expect((await fetch(`${bare.url}/apis/agents.kruise.io/v1alpha1`)).status).toBe(404);
    await bare.close();
  });
});

describe('faults', () => {
  it('answers what it is told to, and late', async () => {
    server.setFault(({ method, url }) =>
      method === 'GET' && url.includes('/sandboxes')
        ? { status: 429, body: { kind: 'Status' }, headers: { 'Retry-After': '1' } }
        : undefined,
    );
    const refused = await fetch(boxes());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await send(pods(), 'GET')).status).toBe(200);
    server.setFault(() => ({ delayMs: 1 }));
    expect((await send(boxes(), 'GET')).status).toBe(200);
    server.setFault(() => ({ hang: true }));
    await expect(fetch(boxes(), { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  });
});
