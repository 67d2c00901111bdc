import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client';
import { waitFor } from '../definitions';

const PATIENCE_MS = 60_000;
const AGENTS = '/apis/agents.kruise.io/v1alpha1';
const POOL = 'agents.kruise.io/sandbox-pool';
const CLAIMED = 'agents.kruise.io/sandbox-claimed';
const RBAC = 'rbac.authorization.k8s.io';

type Fields = Record<string, unknown>;
interface Seen {
  metadata: { name: string; labels?: Record<string, string> };
  spec?: Fields;
  status?: Fields;
}

const template = {
  metadata: { labels: { app: 'code' } },
  spec: {
    initContainers: [{ name: 'runtime', image: 'registry.local/agent-runtime:v1', restartPolicy: 'Always' }],
    containers: [
      {
        name: 'sandbox',
        image: 'registry.local/code:v1',
        env: [{ name: 'MODE', value: 'dev' }],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
      },
    ],
  },
};

/** Running, with every condition that comes just after. */
const isSettled = ({ status }: Seen) => status?.phase === 'Running' && JSON.stringify(status).includes('InplaceUpdate');

const withImage = (image: string) => {
  const containers = template.spec.containers.map((each) => ({ ...each, image: `registry.local/${image}` }));
  return { ...template, spec: { ...template.spec, containers } };
};

/** Makes what the recorded requests are about, through the API alone, and waits until the controllers rest. */
export class Stage {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Everything that was there, of what the paths mention. */
  async set(namespace: string, paths: readonly string[]): Promise<void> {
    const mentions = (word: string) => paths.some((path) => new RegExp(`/${word}\\b`).test(path));
    await this.#post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await this.#people(namespace);
    if (mentions('sandboxsets/web')) await this.#pool(namespace);
    if (mentions('sandboxes/solo')) await this.#failedUpdate(namespace);
  }

  /** The state of the recorded tables: one object of every kind, some in trouble. */
  async setTables(namespace: string): Promise<void> {
    await this.#post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await this.#make(namespace, 'sandboxtemplates', 'SandboxTemplate', { name: 'base' }, { template });
    const bad = { replicas: 1, template: withImage('bad:v1') };
    await this.#make(namespace, 'sandboxsets', 'SandboxSet', { name: 'bad' }, bad);
    await this.#pool(namespace);
    await this.sandbox(namespace, 'sleeper', true);
    const shutdownTime = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
    const solo = { name: 'solo', labels: { batch: 'a' } };
    await this.#make(namespace, 'sandboxes', 'Sandbox', solo, { template, shutdownTime });
    await this.#wait(namespace, 'sandboxes/solo', isSettled);
    const job = { templateName: 'web', replicas: 1 };
    await this.#make(namespace, 'sandboxclaims', 'SandboxClaim', { name: 'job' }, job);
    await this.#wait(namespace, 'sandboxclaims/job', ({ status }) => status?.phase === 'Completed');
    await this.#poolAtRest(namespace);
    await this.#losePod(namespace);
    const patch = { spec: { containers: [{ name: 'sandbox', image: 'registry.local/code:v2' }] } };
    const update = { selector: { matchLabels: { batch: 'a' } }, patch };
    await this.#make(namespace, 'sandboxupdateops', 'SandboxUpdateOps', { name: 'up-1' }, update);
    await this.#wait(namespace, 'sandboxupdateops/up-1', ({ status }) => status?.phase === 'Completed');
    await this.#make(namespace, 'checkpoints', 'Checkpoint', { name: 'cp-1' }, { podName: 'solo' });
  }

  /**
   * A claim that took a sandbox of the pool, which is full again. The recorded pages have the claimed one between two others:
   * names are drawn by lot, so this is tried until it is so.
   */
  async claim(namespace: string): Promise<void> {
    const path = `${AGENTS}/namespaces/${namespace}`;
    for (;;) {
      const spec = { templateName: 'web', replicas: 1, skipInitRuntime: true };
      await this.#make(namespace, 'sandboxclaims', 'SandboxClaim', { name: 'keep' }, spec);
      await this.#wait(namespace, 'sandboxclaims/keep', ({ status }) => status?.phase === 'Completed');
      await this.#poolAtRest(namespace);
      const { text } = await this.#client.send({ method: 'GET', path: `${path}/sandboxes?labelSelector=${POOL}` });
      const items: Seen[] = JSON.parse(text).items;
      const isClaimed = ({ metadata }: Seen) => metadata.labels?.[CLAIMED] === 'true';
      if (items.length === 3 && isClaimed(items[1] as Seen)) return;
      await this.#client.send({ method: 'DELETE', path: `${path}/sandboxclaims/keep` });
      const claimed = items.filter(isClaimed).map(({ metadata }) => `sandboxes/${metadata.name}`);
      for (const name of claimed) await this.#client.send({ method: 'DELETE', path: `${path}/${name}` });
      for (const name of [...claimed, 'sandboxclaims/keep'])
        await waitFor(this.#client, `${path}/${name}`, (code) => code === 404);
    }
  }

  async annotatePool(namespace: string): Promise<void> {
    for (const n of ['0', '1', '2']) {
      await this.#patch(`${AGENTS}/namespaces/${namespace}/sandboxsets/web`, { metadata: { annotations: { n } } });
    }
  }

  /** A running sandbox, or a paused one, which holds a finalizer. */
  async sandbox(namespace: string, name: string, paused: boolean): Promise<void> {
    await this.#make(namespace, 'sandboxes', 'Sandbox', { name }, { template });
    const path = `sandboxes/${name}`;
    await this.#wait(namespace, path, isSettled);
    if (!paused) return;
    await this.#patch(`${AGENTS}/namespaces/${namespace}/${path}`, { spec: { paused: true } });
    await this.#wait(namespace, path, ({ status }) => JSON.stringify(status).includes('StopPauseSucceed'));
  }

  /** The claimed sandbox fails, as its pod is deleted. */
  async #losePod(namespace: string): Promise<void> {
    const path = `${AGENTS}/namespaces/${namespace}/sandboxes?labelSelector=${CLAIMED}%3Dtrue`;
    const { text } = await this.#client.send({ method: 'GET', path });
    const { name = '' } = (JSON.parse(text).items as Seen[])[0]?.metadata ?? {};
    await this.#client.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}/pods/${name}` });
    await this.#wait(namespace, `sandboxes/${name}`, ({ status }) => status?.phase === 'Failed');
  }

  async #pool(namespace: string): Promise<void> {
    await this.#make(namespace, 'sandboxsets', 'SandboxSet', { name: 'web' }, { replicas: 2, template });
    await this.#poolAtRest(namespace);
  }

  #poolAtRest = (namespace: string): Promise<void> =>
    this.#wait(namespace, 'sandboxsets/web', ({ status }) => status?.availableReplicas === 2 && status.replicas === 2);

  /** A sandbox that an update left with an image that cannot be pulled. */
  async #failedUpdate(namespace: string): Promise<void> {
    await this.#make(namespace, 'sandboxes', 'Sandbox', { name: 'solo', labels: { batch: 'a' } }, { template });
    await this.#wait(namespace, 'sandboxes/solo', isSettled);
    const patch = { spec: { containers: [{ name: 'sandbox', image: 'registry.local/bad:v2' }] } };
    const spec = { selector: { matchLabels: { batch: 'a' } }, patch };
    await this.#make(namespace, 'sandboxupdateops', 'SandboxUpdateOps', { name: 'first' }, spec);
    await this.#wait(namespace, 'sandboxes/solo', ({ status }) => JSON.stringify(status).includes('ImagePullBackOff'));
    await this.#wait(namespace, 'sandboxupdateops/first', ({ status }) => status?.phase === 'Failed');
  }

  /** `vera` may look and scale, `alice` may edit what is not of the agents group. */
  async #people(namespace: string): Promise<void> {
    const path = `/apis/${RBAC}/v1/namespaces/${namespace}`;
    const bind = (name: string, user: string, kind: string, role: string) =>
      this.#post(`${path}/rolebindings`, {
        apiVersion: `${RBAC}/v1`,
        kind: 'RoleBinding',
        metadata: { name },
        subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
        roleRef: { apiGroup: RBAC, kind, name: role },
      });
    const rule = (verbs: string[], ...resources: string[]) => ({ apiGroups: ['agents.kruise.io'], resources, verbs });
    await this.#post(`${path}/roles`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name: 'viewer' },
      rules: [
        rule(['get', 'list', 'watch'], 'sandboxes', 'sandboxsets', 'sandboxupdateops'),
        rule(['get', 'patch', 'update'], 'sandboxsets/scale'),
      ],
    });
    await bind('viewer', 'vera', 'Role', 'viewer');
    await bind('alice', 'alice', 'ClusterRole', 'edit');
  }

  #make(namespace: string, plural: string, kind: string, metadata: Fields, spec: Fields): Promise<void> {
    const body = { apiVersion: 'agents.kruise.io/v1alpha1', kind, metadata, spec };
    return this.#post(`${AGENTS}/namespaces/${namespace}/${plural}`, body);
  }

  #post = (path: string, body: object): Promise<void> => this.#send('POST', path, body, 'application/json');

  #patch = (path: string, body: object): Promise<void> =>
    this.#send('PATCH', path, body, 'application/merge-patch+json');

  async #send(method: string, path: string, body: object, type: string): Promise<void> {
    const headers = { 'Content-Type': type };
    const { status, text } = await this.#client.send({ method, path, headers, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  }

  async #wait(namespace: string, path: string, holds: (object: Seen) => boolean): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
      const { status, text } = await this.#client.send({
        method: 'GET',
        path: `${AGENTS}/namespaces/${namespace}/${path}`,
      });
      if (status === 200 && holds(JSON.parse(text))) return;
    }
    throw new Error(`${namespace}/${path} has not come into its state within ${PATIENCE_MS / 1000} s`);
  }
}
