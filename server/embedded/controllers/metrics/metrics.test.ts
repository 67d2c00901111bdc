import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiServer } from '../../apiserver/server';
import { fastDelays } from '../../kubelet/options';
import { ensureNodes } from '../../scenarios/objects';
import { Api } from '../client/api';
import { collectionPath, objectPath, resources } from '../client/resources';
import { connectUrl } from '../connect';
import { runControllers } from '../run';

let api: Api;
let port: number;
let host: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  api = new Api(connection);
  host = api.host;
  await ensureNodes(api, 2);
  const { signal } = new AbortController();
  const running = await runControllers({ api: connection, signal, delays: fastDelays, metricsPort: 0 });
  port = running.metricsPort ?? 0;
  stop = async () => {
    await running.stop();
    api.close();
    await server.close();
  };
});
afterAll(() => stop());

const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const sampleOf = (text: string, series: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

const create = (resource: (typeof resources)[keyof typeof resources], name: string, spec: object) =>
  api.create(collectionPath(resource, 'default'), {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: resource.kind,
    metadata: { name },
    spec,
  });
const template = { spec: { containers: [{ name: 'main', image: 'registry.local/code:v1' }] } };
const sandbox = objectPath(resources.sandboxes, { metadata: { name: 'solo', namespace: 'default' } });

it('tells what happened, under the names and labels that were recorded', { timeout: 20_000 }, async () => {
  await create(resources.sandboxsets, 'web', { replicas: 2, template });
  await create(resources.sandboxes, 'solo', { template });
  await expect
    .poll(async () => sampleOf(await read(), 'sandboxset_available_replicas{name="web",namespace="default"}'))
    .toBe('2');
  await create(resources.sandboxclaims, 'job', { templateName: 'web' });
  await expect.poll(async () => sampleOf(await read(), solo('ready'))).toBe('1');
  await api.patch(sandbox, { spec: { paused: true } });
  await expect
    .poll(read, { timeout: 10_000 })
    .toContain('sandbox_pause_total{namespace="default",result="success",source="k8s"} 1');
  await expect.poll(read, { timeout: 10_000 }).toContain('sandbox_claim_duration_seconds_count');

  const text = await read();
  const claimed = 'sandboxset_sandboxes_claimed_total{name="web",namespace="default",source="k8s"}';
  expect(sampleOf(text, claimed)).toBe('1');
  expect(sampleOf(text, 'sandboxset_sandboxes_created_total{name="web",namespace="default"}')).toMatch(/^[23]$/);
  expect(
    sampleOf(text, 'sandbox_creation_duration_seconds_bucket{namespace="default",source="k8s",le="+Inf"}'),
  ).toMatch(/^[34]$/);
  expect(sampleOf(text, 'sandbox_status_phase{name="solo",namespace="default",phase="Paused"}')).toBe('1');
  expect(sampleOf(text, solo('ready'))).toBe('0');
  expect(sampleOf(text, solo('ready_time'))).toMatch(/^1\.\d+e\+09$/);
  expect(text.match(/^sandbox_info\{name="solo"/gm)).toHaveLength(2);
  for (const [name, { type, labels }] of familiesIn(text)) {
    const known = recorded.get(name);
    if (known === undefined) continue;
    expect([name, type]).toEqual([name, known.type]);
    for (const set of labels) expect(known.labels, name).toContain(set);
  }
  const notHere = [...recorded.keys()].filter((name) => !familiesIn(text).has(name));
  // Nothing was recycled, deleted with a finalizer, claimed in vain or resumed here; the webhooks are those of the API server;
  // and there is no Go runtime, and no counting of its traffic.
  const other = /recycle|deletion|resume|claims_total|abnormal|unresumed_time|webhook|^go_|network|virtual_memory_max/;
  expect(notHere.filter((name) => !other.test(name))).toEqual([]);
  expect(sampleOf(text, `rest_client_requests_total{code="201",host="${host}",method="POST"}`)).toMatch(/^\d+$/);
});

it('shows an in-place update that is not done, and a sidecar that was restarted and is not ready', async () => {
  const sized = (resources: object) => ({
    spec: {
      initContainers: [{ name: 'agent-runtime', image: 'runtime', restartPolicy: 'Always' }],
      containers: [{ name: 'main', image: 'code', resources }],
    },
  });
  await create(resources.sandboxes, 'odd', { template: sized({}) });
  const of = (what: string, labels = '') => `sandbox_${what}{${labels}name="odd",namespace="default"}`;
  expect(await read()).not.toContain(of('status_ready'));
  await expect.poll(async () => sampleOf(await read(), of('status_ready'))).toBe('1');
  const odd = { metadata: { name: 'odd', namespace: 'default' } };
  // Another class of service, which is refused.
  const template = sized({ requests: { cpu: '1' } });
  await api.patch(objectPath(resources.sandboxes, odd), { spec: { template } });
  await api.patch(objectPath(resources.pods, odd, 'status'), {
    status: { initContainerStatuses: [{ name: 'agent-runtime', restartCount: 1, ready: false }] },
  });
  await expect.poll(async () => sampleOf(await read(), of('status_inplace_updating'))).toBe('1');
  const text = await read();
  expect(sampleOf(text, of('status_inplace_updating_time'))).toMatch(/^1\.\d+e\+09$/);
  const sidecar = 'container="agent-runtime",';
  await expect.poll(async () => sampleOf(await read(), of('runtime_container_abnormal', sidecar))).toBe('1');
  expect(sampleOf(await read(), of('runtime_container_abnormal_time', sidecar))).toMatch(/^1\.\d+e\+09$/);
});

it('counts every sandbox that it sees ready, or failed, for the first time, as a new process does', async () => {
  const second = await runControllers({
    api: connectUrl(`http://${host}`),
    signal: new AbortController().signal,
    kubelet: false,
    controlPlane: false,
    metricsPort: 0,
  });
  const text = second.metrics();
  await second.stop();
  const total = 'sandbox_creation_total{namespace="default",result="success",source="k8s"}';
  // Those of the pool, and the claimed one; the paused one is not ready.
  expect(Number(sampleOf(text, total))).toBeGreaterThanOrEqual(2);
  expect(text).not.toContain('sandboxset_sandboxes_created_total{');
});

const solo = (what: string): string => `sandbox_status_${what}{name="solo",namespace="default"}`;

/** Families with their type and the sets of label names that their series have. */
function familiesIn(text: string): Map<string, { type: string; labels: Set<string> }> {
  const result = new Map<string, { type: string; labels: Set<string> }>();
  for (const line of text.split('\n')) {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== '') result.set(name, { type, labels: new Set() });
    const [, series = '', labels = ''] = /^([a-z_]+)(?:\{(.*)\})? /.exec(line) ?? [];
    const family = result.get(series) ?? result.get(series.replace(/_(bucket|sum|count)$/, ''));
    const names = [...labels.matchAll(/([a-z_]+)="/g)].map(([, label = '']) => label).filter((label) => label !== 'le');
    family?.labels.add(names.sort().join(','));
  }
  return result;
}

const recorded = new Map(
  readFileSync(new URL('recorded-families.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', type = '', ...labels] = line.split(' ');
      return [name, { type, labels: labels.length === 0 ? [''] : labels }] as const;
    }),
);
