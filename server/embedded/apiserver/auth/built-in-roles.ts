import { AUTHENTICATED, MASTERS, PEOPLE, TENANT_NAMESPACE, UNAUTHENTICATED } from './people';
import type { PolicyRule } from './rules';

interface BuiltInRole {
  name: string;
  labels?: Record<string, string>;
  /** Takes the rules of every ClusterRole that is labelled for it. */
  aggregates?: string;
  rules: PolicyRule[];
}

export interface BuiltInBinding {
  name: string;
  role: string;
  groups: readonly string[];
  /** A RoleBinding in this namespace; else a ClusterRoleBinding. */
  namespace?: string;
}

const AGENTS = 'agents.kruise.io';
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

const on = (verbs: string[], apiGroups: string[], ...resources: string[]): PolicyRule => ({
  verbs,
  apiGroups,
  resources,
});

const paths = (...nonResourceURLs: string[]): PolicyRule => ({ verbs: ['get'], nonResourceURLs });

const aggregateTo = (name: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' });

/** What a console reads (`agents-view` without the two that only make sense for the whole cluster). */
const AGENTS_VIEW = [
  on(READ, [AGENTS], '*'),
  on(READ, [''], 'namespaces', 'persistentvolumeclaims', 'pods', 'pods/log'),
  on(READ, ['', 'events.k8s.io'], 'events'),
  { ...on(['get'], [''], 'configmaps'), resourceNames: ['sandbox-injection-config'] },
];

/** The ClusterRoles of every cluster, as far as their kinds are served here, and those for the agents kinds. */
export const CLUSTER_ROLES: readonly BuiltInRole[] = [
  { name: 'cluster-admin', rules: [on(['*'], ['*'], '*'), { verbs: ['*'], nonResourceURLs: ['*'] }] },
  { name: 'admin', aggregates: 'admin', rules: [] },
  { name: 'edit', labels: aggregateTo('admin'), aggregates: 'edit', rules: [] },
  { name: 'view', labels: aggregateTo('edit'), aggregates: 'view', rules: [] },
  {
    name: 'system:aggregate-to-admin',
    labels: aggregateTo('admin'),
    rules: [
      on(['create'], ['authorization.k8s.io'], 'localsubjectaccessreviews'),
      on([...WRITE, ...READ], ['rbac.authorization.k8s.io'], 'rolebindings', 'roles'),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    labels: aggregateTo('edit'),
    rules: [
      on(READ, [''], 'pods/attach', 'pods/exec', 'pods/portforward', 'secrets'),
      on(['impersonate'], [''], 'serviceaccounts'),
      on(WRITE, [''], 'pods', 'pods/attach', 'pods/exec', 'pods/portforward'),
      on(WRITE, [''], 'configmaps', 'persistentvolumeclaims', 'secrets', 'serviceaccounts'),
      on(['create'], [''], 'pods/eviction', 'serviceaccounts/token'),
      on(WRITE, ['', 'events.k8s.io'], 'events'),
      on([...WRITE, ...READ], ['coordination.k8s.io'], 'leases'),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    labels: aggregateTo('view'),
    rules: [
      on(READ, [''], 'configmaps', 'namespaces', 'persistentvolumeclaims', 'pods', 'serviceaccounts'),
      on(READ, [''], 'persistentvolumeclaims/status', 'pods/log', 'pods/status', 'resourcequotas'),
      on(READ, ['', 'events.k8s.io'], 'events'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on(['create'], ['authorization.k8s.io'], 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
      on(['create'], ['authentication.k8s.io'], 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:discovery',
    rules: [
      paths(
        ...['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez'],
        ...['/openapi', '/openapi/*', '/readyz', '/version', '/version/'],
      ),
    ],
  },
  { name: 'system:public-info-viewer', rules: [paths('/healthz', '/livez', '/readyz', '/version', '/version/')] },
  { name: 'agents-view', labels: aggregateTo('view'), rules: AGENTS_VIEW },
  { name: 'agents-view-cluster', rules: [on(READ, [''], 'nodes'), paths('/metrics')] },
  { name: 'agents-scale', rules: [on(['get', 'patch', 'update'], [AGENTS], 'sandboxsets/scale')] },
  {
    name: 'agents-operate',
    labels: aggregateTo('edit'),
    rules: [
      on(['get', 'patch', 'update'], [AGENTS], 'sandboxsets/scale'),
      on(['patch'], [AGENTS], 'sandboxsets'),
      on(['patch', 'delete'], [AGENTS], 'sandboxes'),
      on(['create', 'patch', 'delete'], [AGENTS], 'sandboxupdateops', 'sandboxclaims', 'checkpoints'),
    ],
  },
];

const groupsOf = (...names: string[]) =>
  PEOPLE.filter(({ name }) => names.includes(name)).flatMap(({ groups }) => groups);

/** Who has which role from the start. */
export const BINDINGS: readonly BuiltInBinding[] = [
  { name: 'system:basic-user', role: 'system:basic-user', groups: [AUTHENTICATED] },
  { name: 'system:discovery', role: 'system:discovery', groups: [AUTHENTICATED] },
  { name: 'system:public-info-viewer', role: 'system:public-info-viewer', groups: [AUTHENTICATED, UNAUTHENTICATED] },
  { name: 'cluster-admin', role: 'cluster-admin', groups: [MASTERS] },
  { name: 'agents-view', role: 'agents-view', groups: groupsOf('operator', 'viewer', 'scaler') },
  { name: 'agents-view-cluster', role: 'agents-view-cluster', groups: groupsOf('operator', 'viewer', 'scaler') },
  { name: 'agents-operate', role: 'agents-operate', groups: groupsOf('operator') },
  { name: 'agents-scale', role: 'agents-scale', groups: groupsOf('scaler') },
  { name: 'tenant-view', role: 'agents-view', groups: groupsOf('tenant'), namespace: TENANT_NAMESPACE },
  { name: 'tenant-operate', role: 'agents-operate', groups: groupsOf('tenant'), namespace: TENANT_NAMESPACE },
];
