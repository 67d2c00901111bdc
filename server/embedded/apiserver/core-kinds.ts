import { defaultBinding } from './auth/validate-roles';
import { completeEvent } from './events';
import { pendingStatus } from './kind-registry';
import type { KindDefinition } from './kinds';
import { type Fields, fieldsOf, isFields, type KubeObject, listOf } from './objects';
import { defaultPodSpec } from './pod-defaults';

/** What creating a core object adds to it: defaults and the first status. */
export function prepareCoreCreate(kind: KindDefinition, object: KubeObject): KubeObject {
  switch (kind.plural) {
    case 'namespaces':
      return {
        ...object,
        metadata: {
          ...object.metadata,
          labels: namespaceLabels(object),
        },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      };
    case 'pods': {
      const spec = preparePodSpec(fieldsOf(object, 'spec'));
      return { ...object, spec, status: { phase: 'Pending', qosClass: qosClassOf(spec) } };
    }
    case 'customresourcedefinitions':
      return {
        ...object,
        spec: { conversion: { strategy: 'None' }, ...fieldsOf(object, 'spec') },
        status: pendingStatus(object),
      };
    case 'persistentvolumeclaims':
      return {
        ...object,
        spec: { volumeMode: 'Filesystem', ...fieldsOf(object, 'spec') },
        // Nothing here makes volumes.
        status: { phase: 'Pending' },
      };
    case 'resourcequotas':
      return { ...object, status: {} };
    default:
      return object;
  }
}

/** A pod's status as it is stored: conditions say when they changed, even where nobody has said so. */
export function podStatus(status: Fields): Fields {
  if (!Array.isArray(status.conditions)) return status;
  const conditions = status.conditions.map((condition) =>
    isFields(condition) ? { lastProbeTime: null, lastTransitionTime: null, ...condition } : condition,
  );
  return { ...status, conditions };
}

/** What every write of a core object puts into its stored form. */
export function normalizeCore(kind: KindDefinition, object: KubeObject): KubeObject {
  switch (kind.plural) {
    case 'events':
      return kind.group === '' ? completeEvent(object) : object;
    case 'configmaps':
      return withoutEmpty(object, ['data', 'binaryData']);
    case 'secrets':
      return storedSecret(object);
    case 'roles':
    case 'clusterroles':
      return listOf(object, 'rules').length === 0 ? { ...object, rules: null } : object;
    case 'namespaces':
      return { ...object, metadata: { ...object.metadata, labels: namespaceLabels(object) } };
    case 'pods':
      return { ...object, spec: withTolerations(fieldsOf(object, 'spec')) };
    case 'rolebindings':
    case 'clusterrolebindings':
      return defaultBinding(object);
    default:
      return object;
  }
}

/** Plain texts are kept encoded, with the other data. */
function storedSecret({ stringData: texts, ...secret }: KubeObject): KubeObject {
  const encoded = Object.entries(isFields(texts) ? texts : {}).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ]);
  const data = { ...fieldsOf({ secret }, 'secret', 'data'), ...Object.fromEntries(encoded) };
  return { type: 'Opaque', ...secret, ...(Object.keys(data).length === 0 ? {} : { data }) } as KubeObject;
}

const namespaceLabels = ({ metadata }: KubeObject) => ({
  ...metadata.labels,
  'kubernetes.io/metadata.name': metadata.name,
});

function withoutEmpty(object: KubeObject, fields: readonly string[]): KubeObject {
  const isEmpty = (field: string) => isFields(object[field]) && Object.keys(fieldsOf(object, field)).length === 0;
  if (!fields.some(isEmpty)) return object;
  return Object.fromEntries(
    Object.entries(object).filter(([field]) => !fields.includes(field) || !isEmpty(field)),
  ) as KubeObject;
}

/** Pod defaults and what the API server's own admission adds (priority, tolerations of an unreachable node). */
function preparePodSpec(spec: Fields): Fields {
  return withTolerations({
    ...defaultPodSpec(spec),
    enableServiceLinks: spec.enableServiceLinks ?? true,
    preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority',
    priority: spec.priority ?? 0,
  });
}

/** Every write of a pod makes it stay on a node that is away for a while. */
function withTolerations(spec: Fields): Fields {
  const tolerations = listOf(spec, 'tolerations');
  const tolerate = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !tolerations.some((toleration) => isFields(toleration) && toleration.key === key),
  );
  return missing.length === 0 ? spec : { ...spec, tolerations: [...tolerations, ...missing.map(tolerate)] };
}

function qosClassOf(spec: Fields): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...listOf(spec, 'containers'), ...listOf(spec, 'initContainers')];
  const resources = containers.map((container) => fieldsOf(container, 'resources'));
  const stated = resources.some(
    (item) => Object.keys(fieldsOf(item, 'requests')).length + Object.keys(fieldsOf(item, 'limits')).length > 0,
  );
  if (!stated) return 'BestEffort';
  const guaranteed = resources.every((item) =>
    ['cpu', 'memory'].every((name) => {
      const limit = fieldsOf(item, 'limits')[name];
      return limit !== undefined && (fieldsOf(item, 'requests')[name] ?? limit) === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
