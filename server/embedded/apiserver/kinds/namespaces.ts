import type { AdmissionPlugin } from '../core/admission';
import type { KindRules } from '../core/kind-definition';
import { fieldsOf, type KubeObject, listOf } from '../core/objects';
import { notFound, StatusError } from '../core/status';
import type { Storage } from '../core/storage';

/** What every cluster needs. */
const PROTECTED = ['default', 'kube-system', 'kube-public'];

const labelsOf = ({ metadata }: KubeObject) => ({
  ...metadata.labels,
  'kubernetes.io/metadata.name': metadata.name,
});

export const NAMESPACE_RULES: KindRules = {
  names: 'label',
  prepare: (object) => ({ ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  // Only its finalizing says what keeps it.
  normalize: (object, old) => ({
    ...object,
    metadata: { ...object.metadata, labels: labelsOf(object) },
    ...(old === undefined ? {} : { spec: old.spec }),
  }),
  isHeld: (object) => listOf(object, 'spec', 'finalizers').length > 0,
  terminate: (marked) => {
    const { deletionGracePeriodSeconds: _none, ...metadata } = marked.metadata;
    return { ...marked, metadata, status: { ...fieldsOf(marked, 'status'), phase: 'Terminating' } };
  },
};

/** NamespaceLifecycle: nothing is made in a namespace that is missing or going away, and some namespaces stay. */
export function namespaceLifecycle(storage: Storage): AdmissionPlugin {
  return {
    mutate: (kind, object, old) => {
      if (old === undefined && kind.namespaced) requireNamespace(storage, kind, object);
      return object;
    },
    remove: (kind, { metadata: { name } }) => {
      if (kind.group !== '' || kind.plural !== 'namespaces' || !PROTECTED.includes(name)) return;
      const why = `namespaces ${JSON.stringify(name)} is forbidden: this namespace may not be deleted`;
      throw new StatusError(403, why, 'Forbidden', { name, kind: 'namespaces' });
    },
  };
}

function requireNamespace(
  storage: Storage,
  kind: { group: string; plural: string },
  { metadata: { name, namespace = '' } }: KubeObject,
): void {
  const found = storage.collection('namespaces').items.get(namespace);
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace);
  if (found.object.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const plural = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
  throw new StatusError(403, `${plural} "${name}" is forbidden: ${why}`, 'Forbidden', {
    name,
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.plural,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
