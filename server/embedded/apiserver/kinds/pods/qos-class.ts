import { type Fields, fieldsOf, listOf } from '../../core/objects';

/** How well a pod is looked after when its node runs short, by what its containers ask for. */
export function qosClassOf(spec: Fields): 'BestEffort' | 'Burstable' | 'Guaranteed' {
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
