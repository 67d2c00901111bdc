import type { KindDefinition } from '../core/kind-definition';
import { partialMetadata } from '../core/lists';
import type { KubeObject } from '../core/objects';

/** A meta/v1 Table. `includeObject` is None, Metadata or Object. */
export function tableOf(
  kind: KindDefinition,
  objects: readonly KubeObject[],
  metadata: object,
  includeObject: string,
  now = Date.now(),
) {
  const shown = kind.columns;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: shown.map(({ name, type, format = '', description, priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
    rows: objects.map((object) => ({
      cells: shown.map((column) => column.cell(kind.storedAs?.stored(object) ?? object, now)),
      object: includeObject === 'None' ? null : includeObject === 'Object' ? object : partialMetadata(object),
    })),
  };
}
