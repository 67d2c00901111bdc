import { BINDING_RULES, ROLE_RULES } from '../auth/role-rules';
import { idOf, type KindDefinition } from '../core/kind-definition';
import { DEFINITION_RULES } from '../custom/definition-rules';
import { keepKnown } from '../schema/structural-schema';
import { AGE, NAME } from '../tables/column';
import { CORE_COLUMNS } from './columns/core';
import { CONFIG_MAP_RULES, SECRET_RULES } from './config-data';
import { EVENT_RULES, EVENTS_V1 } from './events';
import { NAMESPACE_RULES } from './namespaces';
import { LEASE_RULES, NODE_RULES, QUOTA_RULES, VOLUME_CLAIM_RULES } from './other-rules';
import { POD_RULES } from './pods/rules';
import { builtInSchema, schemaNameOf } from './schemas';
import { typeProblem } from './types';
import { VOLUME_RULES } from './volumes';

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const RBAC = 'rbac.authorization.k8s.io';

function builtIn(
  kind: string,
  plural: string,
  rest: Partial<KindDefinition> & Pick<KindDefinition, 'namespaced'>,
): KindDefinition {
  const name = schemaNameOf({ group: rest.group ?? '', kind });
  const schema = builtInSchema(name);
  return {
    group: '',
    version: 'v1',
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    verbs: ALL_VERBS,
    subresources: [],
    generation: false,
    fieldSelectors: [],
    schema,
    decode: ({ apiVersion, kind: named, metadata, ...fields }, unknown) => ({
      apiVersion,
      kind: named,
      metadata,
      ...keepKnown(fields, schema, unknown),
    }),
    columns: CORE_COLUMNS[rest.storedAs?.id ?? idOf({ group: rest.group ?? '', plural })] ?? [NAME, AGE],
    ...rest,
    problem: (raw, named) => rest.problem?.(raw, named) ?? typeProblem(raw, name),
  };
}

const about = (field: string) =>
  ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((name) => `${field}.${name}`);

/** The kinds that are served without a CustomResourceDefinition. */
export const BUILT_IN_KINDS: readonly KindDefinition[] = [
  builtIn('Namespace', 'namespaces', {
    namespaced: false,
    shortNames: ['ns'],
    subresources: ['finalize', 'status'],
    verbs: ALL_VERBS.filter((verb) => verb !== 'deletecollection'),
    fieldSelectors: ['status.phase'],
    ...NAMESPACE_RULES,
  }),
  builtIn('Node', 'nodes', {
    namespaced: false,
    shortNames: ['no'],
    subresources: ['status'],
    fieldSelectors: ['spec.unschedulable'],
    ...NODE_RULES,
  }),
  builtIn('Pod', 'pods', {
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    subresources: ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'resize', 'status'],
    generation: true,
    fieldSelectors: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.nominatedNodeName',
    ],
    ...POD_RULES,
  }),
  builtIn('Event', 'events', {
    namespaced: true,
    shortNames: ['ev'],
    fieldSelectors: [...about('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
    ...EVENT_RULES,
  }),
  builtIn('Event', 'events', {
    namespaced: true,
    group: 'events.k8s.io',
    shortNames: ['ev'],
    fieldSelectors: [...about('regarding'), 'reason', 'reportingController', 'type'],
    storedAs: EVENTS_V1,
    names: 'path',
  }),
  builtIn('ConfigMap', 'configmaps', { namespaced: true, shortNames: ['cm'], ...CONFIG_MAP_RULES }),
  builtIn('Secret', 'secrets', { namespaced: true, fieldSelectors: ['type'], ...SECRET_RULES }),
  builtIn('ServiceAccount', 'serviceaccounts', {
    namespaced: true,
    shortNames: ['sa'],
    subresources: ['token'],
  }),
  builtIn('PersistentVolume', 'persistentvolumes', {
    namespaced: false,
    shortNames: ['pv'],
    subresources: ['status'],
    ...VOLUME_RULES,
  }),
  builtIn('PersistentVolumeClaim', 'persistentvolumeclaims', {
    namespaced: true,
    shortNames: ['pvc'],
    subresources: ['status'],
    ...VOLUME_CLAIM_RULES,
  }),
  builtIn('ResourceQuota', 'resourcequotas', {
    namespaced: true,
    shortNames: ['quota'],
    subresources: ['status'],
    ...QUOTA_RULES,
  }),
  builtIn('Lease', 'leases', { namespaced: true, group: 'coordination.k8s.io', ...LEASE_RULES }),
  builtIn('Role', 'roles', { namespaced: true, group: RBAC, ...ROLE_RULES }),
  builtIn('RoleBinding', 'rolebindings', { namespaced: true, group: RBAC, ...BINDING_RULES }),
  builtIn('ClusterRole', 'clusterroles', { namespaced: false, group: RBAC, ...ROLE_RULES }),
  builtIn('ClusterRoleBinding', 'clusterrolebindings', { namespaced: false, group: RBAC, ...BINDING_RULES }),
  builtIn('CustomResourceDefinition', 'customresourcedefinitions', {
    namespaced: false,
    group: 'apiextensions.k8s.io',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
    generation: true,
    ...DEFINITION_RULES,
  }),
];
