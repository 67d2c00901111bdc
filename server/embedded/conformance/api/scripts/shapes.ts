import { configMap, pod, req, type Scripts, WIDGET_GROUP, widget } from '../script';

const table = (line: string) => req(`GET ${line}`, undefined, { accept: 'table' });
const shaped = (line: string, accept: string) => req(`GET ${line}`, undefined, { accept });
const made = (line: string, body: object) => req(`POST ${line}`, body, { codeOnly: true });
const agents = (kind: string, name: string, spec: object) => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind,
  metadata: { name },
  spec,
});
const core = (kind: string, rest: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'a' }, ...rest });

export const shapes: Scripts = {
  'tables of a custom kind': [
    made('widgets', widget('a', { at: '2001-01-01T00:00:00Z', ports: [{ name: 'x' }, { name: 'y' }] })),
    req('PATCH widgets/a/status', { status: { phase: 'Up' } }, { codeOnly: true }),
    made('widgets', widget('b', { color: 'blue' })),
    table('widgets'),
    table('widgets/a'),
    table('widgets?includeObject=None'),
    table('widgets?includeObject=Object'),
    table('widgets?includeObject=Some'),
    made('gadgets', { apiVersion: `${WIDGET_GROUP}/v1`, kind: 'Gadget', metadata: { name: 'g' } }),
    table('gadgets'),
    req('PATCH widgets/a', { spec: { size: 3 } }, { accept: 'table' }),
    req('DELETE widgets/b', undefined, { accept: 'table' }),
    req('GET widgets/zz', undefined, { accept: 'table' }),
  ],
  'tables of core kinds': [
    made('pods', pod('a', { nodeName: 'nowhere' })),
    table('pods'),
    made('configmaps', configMap('a', { x: 'y', z: 'w' })),
    table('configmaps?fieldSelector=metadata.name%3Da'),
    made('secrets', core('Secret', { data: { k: 'dg==' } })),
    table('secrets'),
    made('serviceaccounts', core('ServiceAccount', {})),
    table('serviceaccounts/a'),
    table('namespaces/default'),
    made('leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { holderIdentity: 'me' },
    }),
    table('leases'),
    made('roles', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a' }, rules: [] }),
    table('roles'),
    made('rolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'vera' }],
    }),
    table('rolebindings'),
    table('clusterroles/view'),
    table('clusterrolebindings/cluster-admin'),
    table('crds/sandboxes.agents.kruise.io'),
    table('nodes?fieldSelector=metadata.name%3Dnone'),
  ],
  'tables of the agents kinds': [
    made('sandboxes', agents('Sandbox', 'a', {})),
    made('sandboxclaims', agents('SandboxClaim', 'a', { templateName: 'none' })),
    made('commits', agents('Commit', 'a', { podName: 'x', containerName: 'y', image: 'z' })),
    made('checkpoints', agents('Checkpoint', 'a', { podName: 'x' })),
    ...[
      'sandboxes',
      'sandboxclaims',
      'sandboxsets',
      'sandboxtemplates',
      'sandboxupdateops',
      'checkpoints',
      'commits',
    ].map(table),
  ],
  'other media types': [
    made('widgets', widget('a')),
    shaped('widgets/a', 'application/yaml'),
    shaped('widgets/a', 'application/xml'),
    shaped('widgets/a', '*/*'),
    shaped('widgets/a', 'text/html, application/json;q=0.5'),
    shaped('widgets', 'metadata'),
    shaped('widgets', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'),
    shaped('widgets/a', 'metadata'),
    shaped('widgets', 'application/json;as=Chair;g=meta.k8s.io;v=v1'),
    req('GET widgets', undefined, { accept: 'application/vnd.kubernetes.protobuf', codeOnly: true }),
    shaped('widgets/a', 'application/vnd.kubernetes.protobuf, application/json'),
  ],
};
