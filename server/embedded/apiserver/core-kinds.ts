import { establishedStatus } from './kind-registry';
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
          labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name },
        },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      };
    case 'pods': {
      const spec = preparePodSpec(fieldsOf(object, 'spec'));
      return { ...object, spec, status: { phase: 'Pending', qosClass: qosClassOf(spec) } };
    }
    case 'customresourcedefinitions':
      return { ...object, status: establishedStatus(object) };
    default:
      return object;
  }
}

/** Pod defaults and what the API server's own admission adds (priority, tolerations of an unreachable node). */
function preparePodSpec(spec: Fields): Fields {
  const tolerations = listOf(spec, 'tolerations');
  const tolerate = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !tolerations.some((toleration) => isFields(toleration) && toleration.key === key),
  );
  return {
    ...defaultPodSpec(spec),
    enableServiceLinks: spec.enableServiceLinks ?? true,
    preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority',
    priority: spec.priority ?? 0,
    tolerations: [...tolerations, ...missing.map(tolerate)],
  };
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
