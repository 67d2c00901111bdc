const AGENTS = ['agents.kruise.io'];
/** The label that every namespace has from the API server. */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

interface Webhook {
  name: string;
  path: string;
  operations: readonly string[];
  group: readonly string[];
  version: string;
  resource: string;
  failurePolicy: 'Fail' | 'Ignore';
  /** Only pods of sandboxes are protected. */
  ofSandboxes?: boolean;
}

const agents = (name: string, path: string, resource: string, operations: readonly string[], rest = {}): Webhook => ({
  name,
  path,
  operations,
  group: AGENTS,
  version: 'v1alpha1',
  resource,
  failurePolicy: 'Fail',
  ...rest,
});
const WRITES = ['CREATE', 'UPDATE'];

/** What OpenKruise Agents installs (openkruise/agents `config/webhook/manifests.yaml`, 0b72c83a). */
export const MUTATING: readonly Webhook[] = [
  agents('md-sbs.kb.io', 'default-sandboxset', 'sandboxsets', WRITES),
  agents('md-sbt.kb.io', 'default-sandboxtemplate', 'sandboxtemplates', ['CREATE']),
];

const pods = { group: [''], version: 'v1', failurePolicy: 'Ignore' as const, ofSandboxes: true };

export const VALIDATING: readonly Webhook[] = [
  agents('v-sbs.kb.io', 'validate-sandboxset', 'sandboxsets', WRITES),
  agents('v-sbt.kb.io', 'validate-sandboxtemplate', 'sandboxtemplates', ['CREATE'], { failurePolicy: 'Ignore' }),
  agents('v-suo.kb.io', 'validate-sandboxupdateops', 'sandboxupdateops', WRITES),
  { name: 'v-pod-delete.kb.io', path: 'validate-pod-delete', operations: ['DELETE'], resource: 'pods', ...pods },
  {
    name: 'v-pod-eviction.kb.io',
    path: 'validate-pod-eviction',
    operations: ['CREATE'],
    resource: 'pods/eviction',
    ...pods,
  },
];

/** Where the webhooks listen, and with which authority's certificate (PEM). */
export interface Endpoint {
  url: string;
  ca: string;
}

/**
 * A configuration that sends an API server to webhooks at a URL. Upstream they are called for every namespace; with `namespaces`
 * only for those.
 */
export function configuration(
  kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration',
  name: string,
  { url, ca }: Endpoint,
  namespaces?: readonly string[],
): object {
  const webhooks = (kind === 'MutatingWebhookConfiguration' ? MUTATING : VALIDATING).map((webhook) => ({
    name: webhook.name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 10,
    failurePolicy: webhook.failurePolicy,
    clientConfig: { url: `${url}/${webhook.path}`, caBundle: Buffer.from(ca).toString('base64') },
    rules: [
      {
        apiGroups: webhook.group,
        apiVersions: [webhook.version],
        operations: webhook.operations,
        resources: [webhook.resource],
        scope: 'Namespaced',
      },
    ],
    ...(webhook.ofSandboxes && webhook.resource === 'pods'
      ? { objectSelector: { matchLabels: { 'agents.kruise.io/created-by': 'sandbox' } } }
      : {}),
    ...(namespaces === undefined
      ? {}
      : { namespaceSelector: { matchExpressions: [{ key: NAMESPACE_NAME, operator: 'In', values: namespaces }] } }),
  }));
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks };
}

/** One that refuses nothing: it shows whether an API server can call a URL at all. Only dry runs with its label come to it. */
export const probe = (name: string, { url, ca }: Endpoint): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name },
  webhooks: [
    {
      name: 'probe.agents-simulator.io',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 1,
      failurePolicy: 'Ignore',
      clientConfig: { url: `${url}/${name}`, caBundle: Buffer.from(ca).toString('base64') },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: { [name]: '' } },
    },
  ],
});
