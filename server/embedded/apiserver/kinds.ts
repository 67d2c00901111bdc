import type { StructuralSchema } from './structural-schema';

export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  description?: string;
  priority?: number;
}

/** A resource the server serves; built-in kinds and CustomResourceDefinitions alike are data of this shape. */
export interface KindDefinition {
  group: string;
  version: string;
  kind: string;
  listKind: string;
  plural: string;
  singular: string;
  shortNames: readonly string[];
  categories?: readonly string[];
  namespaced: boolean;
  verbs: readonly string[];
  subresources: readonly ('status' | 'scale' | 'binding' | 'finalize')[];
  /** Whether the server counts generations. */
  generation: boolean;
  /** Field selectors besides metadata.name and metadata.namespace, as paths. */
  fieldSelectors: readonly string[];
  /** Custom resources have a schema, know no strategic merge and need a resourceVersion in a PUT. */
  custom?: { schema: StructuralSchema; columns: readonly PrinterColumn[] };
}

/** `<plural>.<group>`: the name of the CustomResourceDefinition, and of the collection in the storage. */
export function idOf({ group, plural }: Pick<KindDefinition, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<KindDefinition, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

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
    subresources: ['binding', 'status'],
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
    fieldSelectors: [
      'involvedObject.kind',
      'involvedObject.namespace',
      'involvedObject.name',
      'involvedObject.uid',
      'involvedObject.apiVersion',
      'involvedObject.resourceVersion',
      'involvedObject.fieldPath',
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  }),
  builtIn('ConfigMap', 'configmaps', { namespaced: true, shortNames: ['cm'] }),
  builtIn('Secret', 'secrets', { namespaced: true, fieldSelectors: ['type'] }),
  builtIn('ServiceAccount', 'serviceaccounts', { namespaced: true, shortNames: ['sa'] }),
  builtIn('Lease', 'leases', { namespaced: true, group: 'coordination.k8s.io' }),
  builtIn('CustomResourceDefinition', 'customresourcedefinitions', {
    namespaced: false,
    group: 'apiextensions.k8s.io',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
    generation: true,
  }),
];
