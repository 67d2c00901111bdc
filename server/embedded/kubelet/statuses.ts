import type { Condition, Container, ContainerStatus, Pod } from '../controllers/client/objects';
import { timestamp } from '../controllers/rules/conditions';
import { byName, type ImageRules, imageId, sha } from './images';

/** `initializing`: the init containers that keep the others from starting. */
function conditions(pod: Pod, ready: boolean, at: string, initializing: readonly string[] = []): Condition[] {
  const unready = (pod.spec.containers ?? []).map(({ name }) => name).join(' ');
  const state = ready
    ? { status: 'True' }
    : { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready}]` };
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const one = (type: string, fields: object): Condition => {
    const old = pod.status?.conditions?.find((condition) => condition.type === type);
    const next = { lastProbeTime: null, lastTransitionTime: at, type, status: 'True', ...fields };
    return old !== undefined && old.status === next.status
      ? { ...next, lastTransitionTime: old.lastTransitionTime ?? at }
      : next;
  };
  return [
    one(
      'Initialized',
      initializing.length === 0
        ? {}
        : {
            status: 'False',
            reason: 'ContainersNotInitialized',
            message: `containers with incomplete status: [${initializing.join(' ')}]`,
          },
    ),
    one('Ready', state),
    one('ContainersReady', state),
    ...(scheduled === undefined ? [one('PodScheduled', {})] : [scheduled]),
  ];
}

const waiting = (container: Container, reason: string, message?: string): ContainerStatus => ({
  name: container.name,
  image: container.image ?? '',
  imageID: '',
  lastState: {},
  ready: false,
  restartCount: 0,
  started: false,
  state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
});

function run(pod: Pod, container: Container, at: string, init: boolean, rules: ImageRules): ContainerStatus {
  const image = container.image ?? '';
  return {
    name: container.name,
    containerID: `containerd://${sha(`${pod.metadata.uid}/${container.name}/${image}`)}`,
    image: rules.reported(image, init),
    imageID: imageId(image),
    lastState: {},
    ready: true,
    restartCount: 0,
    ...(container.resources === undefined ? {} : { resources: container.resources }),
    started: true,
    state: { running: { startedAt: at } },
  };
}

function exited(pod: Pod, container: Container, at: string, rules: ImageRules): ContainerStatus {
  const status = run(pod, container, at, false, rules);
  const terminated = { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at, containerID: status.containerID };
  return { ...status, ready: false, started: false, state: { terminated } };
}

const pullError = (image: string): string =>
  `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;

type PodStatus = NonNullable<Pod['status']>;

/** The node has accepted the Pod: every container is being created. */
export function acceptedStatus(pod: Pod): PodStatus {
  const at = timestamp();
  return {
    phase: 'Pending',
    startTime: at,
    conditions: conditions(pod, false, at),
    containerStatuses: (pod.spec.containers ?? []).map((container) => waiting(container, 'ContainerCreating')),
  };
}

/** The start is over: ready, or stuck in a pull, or exited, as the rules say. */
export function startedStatus(pod: Pod, podIP: string, rules: ImageRules): PodStatus {
  const { pulls, crashes } = rules;
  const at = timestamp();
  const inits = pod.spec.initContainers ?? [];
  const mains = pod.spec.containers ?? [];
  const broken = inits.filter(({ image }) => !pulls(image ?? '')).map(({ name }) => name);
  if (broken.length > 0) {
    return {
      phase: 'Pending',
      startTime: pod.status?.startTime ?? at,
      conditions: conditions(pod, false, at, broken),
      containerStatuses: mains.map((container) => waiting(container, 'PodInitializing')),
      initContainerStatuses: inits.map((container) =>
        pulls(container.image ?? '')
          ? run(pod, container, at, true, rules)
          : waiting(container, 'ErrImagePull', pullError(container.image ?? '')),
      ),
      podIP,
      podIPs: [{ ip: podIP }],
    };
  }
  const containerStatuses = mains.map((container) => {
    const image = container.image ?? '';
    if (!pulls(image)) return waiting(container, 'ErrImagePull', pullError(image));
    return crashes(image) ? exited(pod, container, at, rules) : run(pod, container, at, false, rules);
  });
  const ready = containerStatuses.every(({ ready: up }) => up === true);
  const pulled = mains.every(({ image }) => pulls(image ?? ''));
  return {
    phase: pulled ? 'Running' : 'Pending',
    startTime: pod.status?.startTime ?? at,
    conditions: conditions(pod, ready, at),
    containerStatuses,
    ...(inits.length === 0
      ? {}
      : { initContainerStatuses: inits.map((container) => run(pod, container, at, true, rules)) }),
    podIP,
    podIPs: [{ ip: podIP }],
  };
}

/** Failed pulls and exits turn into their back-off. Undefined when nothing in the Pod fails. */
export function backOffStatus(pod: Pod): PodStatus | undefined {
  const back = (status: ContainerStatus): ContainerStatus => {
    const { waiting: wait, terminated } = status.state ?? {};
    if (wait?.reason === 'ErrImagePull') {
      const message = `Back-off pulling image "${status.image}": ErrImagePull: ${wait.message ?? ''}`;
      return { ...status, state: { waiting: { reason: 'ImagePullBackOff', message } } };
    }
    if (terminated === undefined) return status;
    const message = `back-off 10s restarting failed container=${status.name} pod=${pod.metadata.name}`;
    return {
      ...status,
      restartCount: 2,
      lastState: { terminated },
      state: { waiting: { reason: 'CrashLoopBackOff', message } },
    };
  };
  const { containerStatuses = [], initContainerStatuses } = pod.status ?? {};
  const mains = containerStatuses.map(back);
  const inits = initContainerStatuses?.map(back);
  const changed =
    mains.some((one, i) => one !== containerStatuses[i]) || inits?.some((one, i) => one !== initContainerStatuses?.[i]);
  if (changed !== true) return undefined;
  return { ...pod.status, containerStatuses: mains, ...(inits === undefined ? {} : { initContainerStatuses: inits }) };
}

/** The next try of what is backing off from a pull, which fails again. Undefined when nothing is. */
export function pullAgainStatus(pod: Pod): PodStatus | undefined {
  const again = (status: ContainerStatus): ContainerStatus =>
    status.state?.waiting?.reason === 'ImagePullBackOff'
      ? { ...status, state: { waiting: { reason: 'ErrImagePull', message: pullError(status.image ?? '') } } }
      : status;
  const { containerStatuses = [], initContainerStatuses } = pod.status ?? {};
  const backing = [...containerStatuses, ...(initContainerStatuses ?? [])].some((status) => again(status) !== status);
  if (!backing) return undefined;
  return {
    ...pod.status,
    containerStatuses: containerStatuses.map(again),
    ...(initContainerStatuses === undefined ? {} : { initContainerStatuses: initContainerStatuses.map(again) }),
  };
}

/** Containers whose image was changed in place, restarted with the new one. Undefined when all run what the spec says. */
export function restartedStatus(pod: Pod): PodStatus | undefined {
  const at = timestamp();
  const statuses = pod.status?.containerStatuses ?? [];
  const image = (name: string) => pod.spec.containers?.find((container) => container.name === name)?.image;
  if (statuses.every((status) => status.state?.running === undefined || image(status.name) === status.image))
    return undefined;
  return {
    ...pod.status,
    containerStatuses: statuses.map((status) => {
      const container = pod.spec.containers?.find(({ name }) => name === status.name);
      return container === undefined || container.image === status.image
        ? status
        : { ...run(pod, container, at, false, byName), restartCount: (status.restartCount ?? 0) + 1 };
    }),
  };
}

/** Whether a Pod that could not start would start now. */
export function wouldStart(pod: Pod, rules: ImageRules): boolean {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const failed = statuses.some(
    ({ state }) => state?.terminated !== undefined || /ImagePull|CrashLoop/.test(state?.waiting?.reason ?? ''),
  );
  const images = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map(({ image = '' }) => image);
  return failed && images.every((image) => rules.pulls(image) && !rules.crashes(image));
}
