/** One request, and what the answer is kept for. */
export interface Request {
  /** `METHOD path`: `/…` as it is, else a plural of {@link ROOTS} and what follows it. `{ns}`, `{name.uid}`, `{name.rv}` … are filled in. */
  line: string;
  body?: unknown;
  /** What kind of patch, or a content type. JSON unless said otherwise. */
  type?: 'merge' | 'json' | 'strategic' | 'apply' | (string & {});
  /** Table, metadata alone, or an Accept header. */
  accept?: 'table' | 'metadata' | 'metadata list' | (string & {});
  /** Who is impersonated, and in which groups. */
  as?: string;
  groups?: string[];
  /** The version, uid, name and token of the answer can be named `{keep.rv}` … afterwards; an object's own name does too. */
  keep?: string;
  /** Asks again until this holds: for what controllers do in their own time. Only the last answer counts. */
  until?: (status: number, body: unknown) => boolean;
  /** A watch that stays open under this name; its answer is no check. */
  open?: string;
  /** Reads so many events of an open watch. */
  from?: string;
  count?: number;
  /** Who owns which field is compared too. */
  managedFields?: boolean;
  /** Only the status code is compared. */
  codeOnly?: boolean;
}

export type Script = readonly Request[];

/** Scripts of one theme by name; each runs in a namespace of its own. */
export type Scripts = Record<string, Script>;

const AGENTS = '/apis/agents.kruise.io/v1alpha1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
/** The kind that most checks are about: installed for the run, with every feature of a schema. */
export const WIDGET_GROUP = 'conformance.agents.example';
const WIDGETS = `/apis/${WIDGET_GROUP}/v1`;

const inNamespace = (root: string, ...plurals: string[]) =>
  plurals.map((plural): [string, string] => [plural, `${root}/namespaces/{ns}/${plural}`]);

const ROOTS: Record<string, string> = Object.fromEntries([
  ...inNamespace(WIDGETS, 'widgets', 'gadgets'),
  ...inNamespace(AGENTS, 'sandboxes', 'sandboxsets', 'sandboxclaims', 'sandboxtemplates', 'sandboxupdateops'),
  ...inNamespace(AGENTS, 'checkpoints', 'commits'),
  ...inNamespace('/api/v1', 'pods', 'configmaps', 'secrets', 'events', 'serviceaccounts', 'resourcequotas'),
  ...inNamespace(RBAC, 'roles', 'rolebindings'),
  ...inNamespace('/apis/coordination.k8s.io/v1', 'leases'),
  ['namespaces', '/api/v1/namespaces'],
  ['nodes', '/api/v1/nodes'],
  ['persistentvolumes', '/api/v1/persistentvolumes'],
  ['clusterroles', `${RBAC}/clusterroles`],
  ['clusterrolebindings', `${RBAC}/clusterrolebindings`],
  ['crds', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
]);

/** The full path of a request line. */
export function expand(line: string): { method: string; path: string } {
  const [method = 'GET', rest = ''] = line.split(' ');
  if (rest.startsWith('/')) return { method, path: rest };
  const [plural = ''] = rest.split(/[/?]/);
  const root = ROOTS[plural];
  if (root === undefined) throw new Error(`no path is known for ${plural}`);
  return { method, path: root + rest.slice(plural.length) };
}

export const req = (line: string, body?: unknown, more: Omit<Request, 'line' | 'body'> = {}): Request => ({
  line,
  ...(body === undefined ? {} : { body }),
  ...more,
});

/** The next events of a watch that was opened before. */
export const events = (from: string, count: number): Request => ({ line: `events of ${from}`, from, count });

export const gone = (status: number) => status === 404;

export const widget = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: `${WIDGET_GROUP}/v1`,
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec: { size: 1, ...spec },
});

export const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const pod = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  // No scheduler takes these, so that nobody writes their status meanwhile.
  spec: { schedulerName: 'nobody', containers: [{ name: 'main', image: 'registry.local/code:v1' }], ...spec },
});

export const sandbox = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'Sandbox',
  metadata: { name, ...metadata },
  spec,
});
