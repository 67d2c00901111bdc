import type { Condition, Node, Pod } from '../controllers/client/objects';
import { timestamp } from '../controllers/rules/conditions';
import { covers, quantity } from '../controllers/rules/resources';

type PodStatus = NonNullable<Pod['status']>;

/**
 * Running containers whose cpu or memory was changed in place get it at once, or the Pod is told that its node is too small.
 * Undefined when every container has what its spec says.
 */
export function resizedStatus(pod: Pod, node: Node): PodStatus | undefined {
  const { status } = pod;
  const wanted = (name: string) => pod.spec.containers?.find((container) => container.name === name)?.resources;
  const changed = (status?.containerStatuses ?? []).filter(
    ({ name, resources }) =>
      resources !== undefined && !(covers(resources, wanted(name)) && covers(wanted(name), resources)),
  );
  if (changed.length === 0) return undefined;
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'PodResizePending');
  const problem = infeasible(pod, node);
  if (problem !== undefined) {
    const known = status?.conditions?.some(({ type, message }) => type === 'PodResizePending' && message === problem);
    return known === true ? undefined : { ...status, conditions: [...others, pending(problem)] };
  }
  return {
    ...status,
    conditions: others,
    containerStatuses: (status?.containerStatuses ?? []).map((one) => {
      const resources = changed.includes(one) ? wanted(one.name) : undefined;
      return resources === undefined ? one : { ...one, resources };
    }),
  };
}

function infeasible(pod: Pod, node: Node): string | undefined {
  const requested = (pod.spec.containers ?? []).reduce(
    (sum, { resources }) => sum + quantity(resources?.requests?.cpu ?? '0'),
    0,
  );
  const capacity = quantity(node.status?.allocatable?.cpu ?? '');
  if (!(requested > capacity)) return undefined;
  const [asked, there] = [requested, capacity].map((cpu) => Math.round(cpu * 1000));
  return `Node didn't have enough capacity: cpu, requested: ${asked}, capacity: ${there}`;
}

const pending = (message: string): Condition => ({
  type: 'PodResizePending',
  status: 'True',
  reason: 'Infeasible',
  message,
  lastTransitionTime: timestamp(),
});
