import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type Fields, isFields, type KubeObject, listOf, type ObjectMeta, textOf } from './core/objects';
import { type ApiServer, startApiServer } from './server';

/** Requests and the exact answers of kube-apiserver 1.35.4 with the OpenKruise Agents webhooks. */
interface Recorded {
  what: string;
  method: string;
  path: string;
  contentType: string | null;
  body: unknown;
  status: number;
  response: unknown;
  responseHeaders?: Record<string, string>;
  headers?: Record<string, string>;
  user?: string;
}

const lines: Recorded[] = readFileSync(new URL('./fixtures/refusals.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

/** Lines that are not replayed, by number, and why. */
const LEFT_OUT: Record<string, readonly number[]> = {
  'who owns which field is only known of objects that were made through the API: see `npm run conformance`': [59, 130],
  'another namespace, without webhooks: see `npm run conformance`': [161, 162, 163, 164, 165, 166],
};
const leftOut = new Set(Object.values(LEFT_OUT).flat());

const NAMESPACE = 'rec-90';
const IDS: Record<string, string> = {
  Sandbox: 'sandboxes.agents.kruise.io',
  SandboxSet: 'sandboxsets.agents.kruise.io',
  SandboxTemplate: 'sandboxtemplates.agents.kruise.io',
  SandboxClaim: 'sandboxclaims.agents.kruise.io',
  SandboxUpdateOps: 'sandboxupdateops.agents.kruise.io',
};

let server: ApiServer;

function store(object: KubeObject): void {
  const { namespace = '', name } = object.metadata;
  server.store.put(IDS[object.kind] ?? object.kind, `${namespace}/${name}`, object);
}

function recordedObject(line: number): KubeObject {
  return lines[line]?.response as KubeObject;
}

const meta = (name: string) => ({
  name,
  namespace: NAMESPACE,
  uid: `uid-${name}`,
  resourceVersion: '',
  creationTimestamp: '2026-11-29T22:33:16Z',
  generation: 1,
});

beforeAll(async () => {
  server = await startApiServer({ anonymous: 'refused' });
  const [namespace] = server.store.collection('namespaces').items.values();
  if (namespace !== undefined) {
    const metadata = { ...namespace.object.metadata, name: NAMESPACE };
    server.store.put('namespaces', NAMESPACE, { ...namespace.object, metadata });
  }
  store(recordedObject(47));
  for (const item of listOf(lines[84]?.response, 'items')) store(item as KubeObject);
  storePeopleAndPod();
  const apiVersion = 'agents.kruise.io/v1alpha1';
  const [row] = listOf(lines[160]?.response, 'rows');
  const { managedFields: _owners, ...template } = at(row, ['object', 'metadata']) as ObjectMeta;
  store({ apiVersion, kind: 'SandboxTemplate', metadata: template, spec: {} });
  store({
    apiVersion,
    kind: 'SandboxClaim',
    metadata: meta('keep'),
    spec: { templateName: 'web', replicas: 1, claimTimeout: '1m', waitReadyTimeout: '30s' },
  });
  store({
    apiVersion,
    kind: 'SandboxUpdateOps',
    metadata: meta('first'),
    spec: { selector: { matchLabels: { batch: 'a' } }, patch: { spec: {} } },
    status: { phase: 'Completed', replicas: 0, updatedReplicas: 0, updatingReplicas: 0, failedReplicas: 0 },
  });
});

afterAll(() => server.close());

/** The people of the recording, and the pod of `solo` on a node without an address. */
function storePeopleAndPod(): void {
  const rbac = 'rbac.authorization.k8s.io';
  const bind = (name: string, user: string, kind: string, role: string) =>
    server.store.put(`rolebindings.${rbac}`, `${NAMESPACE}/${name}`, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: meta(name),
      subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
      roleRef: { apiGroup: rbac, kind, name: role },
    });
  server.store.put(`roles.${rbac}`, `${NAMESPACE}/viewer`, {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: meta('viewer'),
    rules: [
      {
        verbs: ['get', 'list', 'watch'],
        apiGroups: ['agents.kruise.io'],
        resources: ['sandboxes', 'sandboxsets', 'sandboxupdateops'],
      },
      { verbs: ['get', 'patch', 'update'], apiGroups: ['agents.kruise.io'], resources: ['sandboxsets/scale'] },
    ],
  });
  bind('viewer', 'vera', 'Role', 'viewer');
  bind('alice', 'alice', 'ClusterRole', 'edit');
  const { name: _name, namespace: _namespace, ...node } = meta('worker');
  server.store.put('nodes', 'worker', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker', ...node } });
  server.store.put('pods', `${NAMESPACE}/solo`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...meta('solo'), labels: { 'agents.kruise.io/created-by': 'sandbox' } },
    spec: { nodeName: 'worker', containers: [{ name: 'sandbox' }] },
  });
}

/** What controllers and people did between the recorded lines. */
const BETWEEN: Record<number, () => void | Promise<void>> = {
  95: () => server.compact(),
  121: async () => {
    for (const n of ['0', '1', '2']) {
      await send({
        method: 'PATCH',
        path: pathOf('sandboxsets/web'),
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations: { n } } },
      });
    }
  },
  152: () =>
    store({
      ...recordedObject(153),
      metadata: {
        ...unmarked(recordedObject(153).metadata),
        finalizers: [],
        name: 'del-me',
        uid: '0a04cedf-95dd-4146-bb70-ebe56e001209',
      },
    }),
  153: () => store({ ...recordedObject(153), metadata: unmarked(recordedObject(153).metadata) }),
};

function unmarked({
  deletionTimestamp: _time,
  deletionGracePeriodSeconds: _grace,
  ...metadata
}: KubeObject['metadata']) {
  return { ...metadata, generation: (metadata.generation ?? 0) - 1 };
}

const pathOf = (rest: string) => `/apis/agents.kruise.io/v1alpha1/namespaces/${NAMESPACE}/${rest}`;

/** Versions and tokens of the recording, and what this server calls them. */
const ours = new Map<string, string>();

function translated(text: string): string {
  let result = text;
  for (const [recorded, own] of ours) {
    result = result
      .replace(new RegExp(`(resourceVersion(?:=|":"))${recorded}(?=&|"|$)`, 'g'), `$1${own}`)
      .replace(`continue=${recorded}`, `continue=${own}`);
  }
  // A watch need not last as long as the recorded one to show what it shows.
  return result.replace('resourceVersion=500&', 'resourceVersion=2&').replace(/timeoutSeconds=\d/, 'timeoutSeconds=1');
}

async function send({
  method,
  path,
  contentType,
  body,
  headers,
  user,
}: Pick<Recorded, 'method' | 'path' | 'contentType' | 'body' | 'headers' | 'user'>) {
  const payload = body === null ? undefined : translated(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = await fetch(`${server.url}${translated(path)}`, {
    method,
    headers: {
      Authorization: 'Bearer practice-admin',
      ...(user === undefined ? {} : { 'Impersonate-User': user }),
      ...(contentType === null ? {} : { 'Content-Type': contentType }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    warning: answer.headers.get('warning'),
    retryAfter: answer.headers.get('retry-after'),
    response: parse(text, path.includes('watch=1')),
  };
}

function parse(text: string, isWatch: boolean): unknown {
  if (!/^[[{]|^$/.test(text) || text.startsWith('[+]')) return text;
  if (isWatch)
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return JSON.parse(text);
}

/** Status, labels and annotations that controllers had written by the time of the answer. */
function playControllers({ method, path, response }: Recorded): void {
  if (path.includes('/status')) return;
  const items =
    isFields(response) && Array.isArray(response.items)
      ? response.items
      : Array.isArray(response)
        ? response.map((event) => event.object)
        : [response];
  for (const item of items) {
    const id = IDS[textOf(item, 'kind')];
    const name = textOf(item, 'metadata', 'name');
    if (id === undefined || method === 'POST') continue;
    const known = server.store.collection(id).items.get(`${NAMESPACE}/${name}`)?.object;
    if (known === undefined) continue;
    const { annotations, labels } = (item as KubeObject).metadata;
    const { annotations: _a, labels: _l, ...metadata } = known.metadata;
    const next: KubeObject = {
      ...known,
      metadata: {
        ...metadata,
        ...(annotations === undefined ? {} : { annotations }),
        ...(labels === undefined ? {} : { labels }),
      },
    };
    if ((item as KubeObject).status !== undefined) next.status = (item as KubeObject).status;
    store(next);
  }
}

/** Notes how this server calls the versions and tokens of a recorded answer. */
function learn(recorded: unknown, own: unknown): void {
  if (Array.isArray(recorded) && Array.isArray(own))
    recorded.forEach((item, index) => {
      learn(item, own[index]);
    });
  if (!isFields(recorded) || !isFields(own)) return;
  for (const [key, value] of Object.entries(recorded)) {
    const other = own[key];
    if (
      (key === 'resourceVersion' || key === 'continue') &&
      value !== '' &&
      typeof value === 'string' &&
      typeof other === 'string'
    )
      ours.set(value, other);
    else learn(value, other);
  }
}

const VOLATILE = new Set(['resourceVersion', 'uid', 'creationTimestamp', 'deletionTimestamp', 'continue']);

/** An answer without what differs between two clusters: versions, ids, times, tokens, field owners, prose of columns. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') {
    return value
      .replace(/current: \d+/, 'current: N')
      .replace(/in record \(\d+\)/, 'in record (N)')
      .replace(/too old resource version: 1 \(\d+\)/, 'too old resource version: 1 (N)')
      .replace(/Invalid value: "\{.*\}": /s, 'Invalid value: "{…}": ')
      .replace(/Invalid value: \\"\{.*\}\\": /s, 'Invalid value: "{…}": ')
      .replace(/^box-.....$/, 'box-xxxxx');
  }
  if (!isFields(value)) return value;
  const result: Fields = {};
  for (const [key, child] of Object.entries(value)) {
    if (key === 'managedFields') continue;
    if (VOLATILE.has(key)) result[key] = typeof child === 'string' && child !== '' ? 'volatile' : child;
    else if (key === 'description' && !String(child).startsWith('Custom resource definition column')) continue;
    else if (key === 'cells' && Array.isArray(child)) result[key] = child.slice(0, -1);
    else result[key] = comparable(child);
  }
  return result;
}

/** Bodies that the recording only describes. */
const BODIES: Record<number, () => unknown> = {
  141: () => ({
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { name: 'x', annotations: { a: 'x'.repeat(300_000) } },
    spec: {},
  }),
  142: () => ({
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { name: 'x', annotations: { a: 'x'.repeat(3_500_000) } },
  }),
};

/** Tokens, where the recording does not use the administrator's. */
const HEADERS: Record<number, Record<string, string>> = {
  115: { Authorization: 'Bearer wrong' },
  116: { Authorization: '' },
};

describe('answers recorded from kube-apiserver', () => {
  for (const [index, recorded] of lines.entries()) {
    if (leftOut.has(index)) continue;
    it(`${index}: ${recorded.what}`, async () => {
      if (BETWEEN[index] === undefined) playControllers(recorded);
      else await BETWEEN[index]();
      const headers = { ...recorded.headers, ...HEADERS[index] };
      const answer = await send({ ...recorded, headers, body: BODIES[index]?.() ?? recorded.body });
      learn(recorded.response, answer.response);
      expect(comparable(answer.response)).toEqual(comparable(recorded.response));
      expect(answer.status).toBe(recorded.status);
      expect(answer.warning).toBe(recorded.responseHeaders?.Warning ?? null);
      expect(answer.retryAfter).toBe(recorded.responseHeaders?.['Retry-After'] ?? null);
    });
  }
});
