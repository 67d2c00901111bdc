import { configMap, req, type Scripts, WIDGET_GROUP, widget } from '../script';

const RBAC = 'rbac.authorization.k8s.io';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const as = (line: string, body?: unknown) => req(line, body, { as: 'vera-{ns}' });

const role = (...rules: object[]) => ({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name: 'r' }, rules });
const rule = (verbs: string[], resources: string[], more: object = {}) => ({
  apiGroups: [WIDGET_GROUP],
  resources,
  verbs,
  ...more,
});
const bind = (kind: string, name: string, subject: object, metadata = { name: 'b' }) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata,
  roleRef: { apiGroup: RBAC, kind, name },
  subjects: [subject],
});
const user = (name: string) => ({ apiGroup: RBAC, kind: 'User', name });
const group = (name: string) => ({ apiGroup: RBAC, kind: 'Group', name });

const access = (attributes: object) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: attributes,
});
const may = (verb: string, resource: string, more: object = {}) =>
  as(
    `POST ${AUTHORIZATION}/selfsubjectaccessreviews`,
    access({ resourceAttributes: { namespace: '{ns}', verb, group: WIDGET_GROUP, resource, ...more } }),
  );

/** The authorizer reads what was written a moment ago. */
const allowed = (line: string) => req(line, undefined, { as: 'vera-{ns}', until: (status) => status !== 403 });

export const rights: Scripts = {
  'without any': [
    as('GET widgets'),
    as('GET widgets/a'),
    as('POST widgets', widget('a')),
    as('PATCH widgets/a', {}),
    as('PATCH widgets/a/scale', { spec: { replicas: 1 } }),
    as('DELETE widgets/a'),
    as('DELETE widgets'),
    as('GET widgets?watch=1'),
    as('GET configmaps'),
    as('POST configmaps', configMap('a')),
    as('GET namespaces'),
    as('GET nodes/n'),
    as(`GET /apis/${WIDGET_GROUP}/v1/widgets`),
    as('GET /metrics'),
    as('GET /nowhere'),
    req('GET /api', undefined, { as: 'vera-{ns}', codeOnly: true }),
    as('GET /healthz'),
    as('GET /apis/missing.example/v1/things'),
    may('list', 'widgets'),
    req('GET widgets', undefined, { as: 'system:anonymous' }),
  ],
  'a role in a namespace': [
    req('POST roles', role(rule(['get', 'list', 'watch'], ['widgets']), rule(['patch', 'update'], ['widgets/scale']))),
    req('POST rolebindings', bind('Role', 'r', user('vera-{ns}'))),
    req('POST widgets', widget('a'), { codeOnly: true }),
    allowed('GET widgets'),
    as('PATCH widgets/a/scale', { spec: { replicas: 2 } }),
    as('GET widgets/a/scale'),
    as('PATCH widgets/a', { spec: { size: 2 } }),
    as('GET widgets/a/status'),
    as(`GET /apis/${WIDGET_GROUP}/v1/namespaces/default/widgets`),
    may('list', 'widgets'),
    may('patch', 'widgets', { subresource: 'scale' }),
    may('patch', 'widgets'),
    may('delete', 'widgets', { name: 'a' }),
    may('list', 'widgets', { namespace: '' }),
    as(
      `POST ${AUTHORIZATION}/selfsubjectaccessreviews`,
      access({ nonResourceAttributes: { path: '/metrics', verb: 'get' } }),
    ),
    as(`POST ${AUTHORIZATION}/selfsubjectaccessreviews`, access({})),
    as(`POST ${AUTHORIZATION}/selfsubjectrulesreviews`, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: '{ns}' },
    }),
    as(`POST ${AUTHORIZATION}/selfsubjectrulesreviews`, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: {},
    }),
    as('POST /apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    }),
  ],
  'named objects and groups': [
    req('POST roles', role(rule(['get', 'delete'], ['widgets'], { resourceNames: ['a'] })), { codeOnly: true }),
    req('POST rolebindings', bind('Role', 'r', group('team-{ns}')), { codeOnly: true }),
    req('POST widgets', widget('a'), { codeOnly: true }),
    req('GET widgets/a', undefined, { as: 'otto', groups: ['team-{ns}'], codeOnly: true }),
    req('POST rolebindings', bind('Role', 'r', user('vera-{ns}'), { name: 'c' }), { codeOnly: true }),
    allowed('GET widgets/a'),
    as('GET widgets/b'),
    as('GET widgets'),
    as('DELETE widgets/b'),
    as('DELETE widgets/a'),
  ],
  'giving away what one does not have': [
    req('POST roles', role({ apiGroups: [RBAC], resources: ['roles', 'rolebindings'], verbs: ['create', 'get'] }), {
      codeOnly: true,
    }),
    req('POST rolebindings', bind('Role', 'r', user('vera-{ns}')), { codeOnly: true }),
    req('GET roles/r', undefined, { as: 'vera-{ns}', until: (status) => status === 200, codeOnly: true }),
    as('POST roles', { ...role(rule(['get'], ['widgets'])), metadata: { name: 'more' } }),
    req('POST rolebindings', bind('ClusterRole', 'view', user('x'), { name: 'more' }), {
      as: 'vera-{ns}',
      codeOnly: true,
    }),
  ],
  'roles and bindings that are refused': [
    req('POST roles', role({ verbs: ['get'] })),
    req('POST roles', role({ apiGroups: [''], resources: ['pods'], verbs: [] })),
    req('POST rolebindings', { ...bind('Role', 'r', user('x')), roleRef: { kind: 'Role', name: 'r', apiGroup: 'x' } }),
    req('POST rolebindings', bind('Role', 'r', { kind: 'Robot', name: 'x' })),
    req('POST rolebindings', bind('Role', 'r', user('x'))),
    req('PATCH rolebindings/b', { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'other' } }),
  ],
};
