import type { OtherShape } from './shapes';
import type { StructuralSchema } from './structural-schema';

export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  description?: string;
  priority?: number;
}

export type Subresource =
  | 'attach'
  | 'binding'
  | 'eviction'
  | 'exec'
  | 'finalize'
  | 'log'
  | 'portforward'
  | 'scale'
  | 'status'
  | 'token';

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
  subresources: readonly Subresource[];
  /** Whether the server counts generations. */
  generation: boolean;
  /** Field selectors besides metadata.name and metadata.namespace, as paths. */
  fieldSelectors: readonly string[];
  /** Where its objects are, when they are stored in the shape of another kind. */
  storedAs?: OtherShape;
  /** Custom resources have a schema, know no strategic merge and need a resourceVersion in a PUT. */
  custom?: { schema: StructuralSchema; columns: readonly PrinterColumn[] };
}

/** `<plural>.<group>`: the name of the CustomResourceDefinition, and of most collections in the storage. */
export function idOf({ group, plural }: Pick<KindDefinition, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<KindDefinition, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
