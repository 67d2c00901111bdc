import { type KubeObject, numberOf, textOf } from './objects';
import { StatusError } from './status';

/** The autoscaling/v1 Scale of an object that keeps its numbers where a SandboxSet does. */
export function scaleOf(object: KubeObject, isRead = false): object {
  if (isRead && numberOf(object, 'spec', 'replicas') === undefined) {
    const message = 'the spec replicas field ".spec.replicas" does not exist';
    throw new StatusError(500, `Internal error occurred: ${message}`, 'InternalError', { causes: [{ message }] });
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = textOf(object, 'status', 'selector');
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberOf(object, 'spec', 'replicas') ?? 0 },
    status: { replicas: numberOf(object, 'status', 'replicas') ?? 0, ...(selector === '' ? {} : { selector }) },
  };
}
