type Fields = Record<string, unknown>;

const AGENTS = 'agents.kruise.io/v1alpha1';
const RBAC = 'rbac.authorization.k8s.io/v1';
const podSpec = {
  containers: [{ name: 'main', image: 'registry.local/code:v1', resources: { limits: { cpu: '1' } } }],
};
const template = { metadata: { labels: { app: 'fuzz' } }, spec: podSpec };
const metadata = {
  name: 'fuzz-a',
  labels: { app: 'fuzz' },
  annotations: { note: 'x' },
  finalizers: ['fuzz.example/hold'],
};
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'fuzz-a' };
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 0 } } } },
};

/** Bodies that make sense, to be spoiled: one of every kind that is worth it, and what goes to subresources. */
export const SENSIBLE: readonly Fields[] = [
  {
    apiVersion: AGENTS,
    kind: 'Sandbox',
    metadata,
    spec: { template, paused: false, shutdownTime: '2030-01-01T00:00:00Z' },
  },
  {
    apiVersion: AGENTS,
    kind: 'SandboxSet',
    metadata,
    spec: { replicas: 2, template, updateStrategy: { maxUnavailable: '20%' } },
  },
  {
    apiVersion: AGENTS,
    kind: 'SandboxClaim',
    metadata,
    spec: { templateName: 'fuzz-a', replicas: 1, claimTimeout: '1m' },
  },
  { apiVersion: AGENTS, kind: 'SandboxTemplate', metadata, spec: { template } },
  {
    apiVersion: AGENTS,
    kind: 'SandboxUpdateOps',
    metadata,
    spec: {
      selector: { matchLabels: { app: 'fuzz' } },
      updateStrategy: { maxUnavailable: 1 },
      patch: { spec: podSpec },
    },
  },
  {
    apiVersion: AGENTS,
    kind: 'Sandbox',
    metadata,
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  },
  { apiVersion: 'v1', kind: 'Pod', metadata, spec: podSpec },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: 'value' }, binaryData: { bytes: 'AAEC' } },
  { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { key: 'value' }, type: 'Opaque' },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fuzz-ns' } },
  { apiVersion: 'v1', kind: 'Node', metadata, spec: { unschedulable: true } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { pods: '5' } } },
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    involvedObject: { kind: 'Pod', name: 'fuzz-a', namespace: 'fuzz' },
    reason: 'Fuzz',
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata,
    spec: { holderIdentity: 'fuzz', leaseDurationSeconds: 15 },
  },
  { apiVersion: RBAC, kind: 'Role', metadata, rules },
  { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects: [{ kind: 'User', name: 'fuzz' }] },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'fuzzes.fuzz.example' },
    spec: {
      group: 'fuzz.example',
      scope: 'Namespaced',
      names: { plural: 'fuzzes', singular: 'fuzz', kind: 'Fuzz', listKind: 'FuzzList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      ],
    },
  },
  { apiVersion: 'fuzz.example/v1', kind: 'Fuzz', metadata, spec: { size: 1 } },
  { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'fuzz-a' }, spec: { replicas: 3 } },
  {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Background',
    preconditions: { uid: 'x' },
    gracePeriodSeconds: 0,
  },
  { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'fuzz-a' }, target: { kind: 'Node', name: 'fuzz-a' } },
  { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'fuzz-a' }, deleteOptions: {} },
  { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600, audiences: ['x'] } },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  },
  { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'fuzz' } },
];
