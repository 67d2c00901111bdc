import { EVENTS_V1 } from './events';
import type { KindDefinition } from './kinds';

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const RBAC = 'rbac.authorization.k8s.io';

function builtIn(
  kind: string,
  plural: string,
  rest: Partial<KindDefinition> & Pick<KindDefinition, 'namespaced'>,
): KindDefinition {
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
    ...rest,
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
  }),
  builtIn('Node', 'nodes', {
    namespaced: false,
    shortNames: ['no'],
    subresources: ['status'],
    fieldSelectors: ['spec.unschedulable'],
  }),
  builtIn('Pod', 'pods', {
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    subresources: ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'status'],
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
  }),
  builtIn('Event', 'events', {
    namespaced: true,
    shortNames: ['ev'],
    fieldSelectors: [...about('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
  }),
  builtIn('Event', 'events', {
    namespaced: true,
    group: 'events.k8s.io',
    shortNames: ['ev'],
    fieldSelectors: [...about('regarding'), 'reason', 'reportingController', 'type'],
    storedAs: EVENTS_V1,
  }),
  builtIn('ConfigMap', 'configmaps', { namespaced: true, shortNames: ['cm'] }),
  builtIn('Secret', 'secrets', { namespaced: true, fieldSelectors: ['type'] }),
  builtIn('ServiceAccount', 'serviceaccounts', { namespaced: true, shortNames: ['sa'], subresources: ['token'] }),
  builtIn('PersistentVolumeClaim', 'persistentvolumeclaims', {
    namespaced: true,
    shortNames: ['pvc'],
    subresources: ['status'],
  }),
  builtIn('ResourceQuota', 'resourcequotas', { namespaced: true, shortNames: ['quota'], subresources: ['status'] }),
  builtIn('Lease', 'leases', { namespaced: true, group: 'coordination.k8s.io' }),
  builtIn('Role', 'roles', { namespaced: true, group: RBAC }),
  builtIn('RoleBinding', 'rolebindings', { namespaced: true, group: RBAC }),
  builtIn('ClusterRole', 'clusterroles', { namespaced: false, group: RBAC }),
  builtIn('ClusterRoleBinding', 'clusterrolebindings', { namespaced: false, group: RBAC }),
  builtIn('CustomResourceDefinition', 'customresourcedefinitions', {
    namespaced: false,
    group: 'apiextensions.k8s.io',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
    generation: true,
  }),
];
