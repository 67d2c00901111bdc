import { fieldsOf, isFields, type KubeObject, listOf, numberOf, textOf } from '../../core/objects';
import { ageOf } from '../../tables/durations';

/** The Ready, Status and Restarts cells of a pod, by the rules of kubectl's printer. */
export interface PodSummary {
  ready: string;
  status: string;
  restarts: string;
}

/** An init container that stays beside the others for the pod's whole life. */
function isSidecar(pod: KubeObject, name: string): boolean {
  return listOf(pod, 'spec', 'initContainers').some(
    (container) => textOf(container, 'name') === name && textOf(container, 'restartPolicy') === 'Always',
  );
}

const hasCondition = (pod: KubeObject, type: string) =>
  listOf(pod, 'status', 'conditions').some(
    (condition) => textOf(condition, 'type') === type && textOf(condition, 'status') === 'True',
  );

const isReady = (status: unknown) => isFields(status) && status.ready === true;
const isStarted = (status: unknown) => isFields(status) && status.started === true;

function terminatedReason(terminated: unknown): string {
  const reason = textOf(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberOf(terminated, 'signal') ?? 0;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberOf(terminated, 'exitCode') ?? 0}`;
}

/** The status of the first init container that has not done its part, as `Init:…`. */
function initStatus(pod: KubeObject): string | undefined {
  const statuses = listOf(pod, 'status', 'initContainerStatuses');
  const total = listOf(pod, 'spec', 'initContainers').length;
  for (const [index, status] of statuses.entries()) {
    const terminated = fieldsOf(status, 'state').terminated;
    const waiting = textOf(status, 'state', 'waiting', 'reason');
    if (isFields(terminated) && numberOf(terminated, 'exitCode') === 0) continue;
    if (isSidecar(pod, textOf(status, 'name')) && isStarted(status)) continue;
    if (isFields(terminated)) return `Init:${terminatedReason(terminated)}`;
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${index}/${total}`;
  }
  return undefined;
}

function mainStatus(pod: KubeObject, status: string): string {
  let result = status;
  let running = false;
  for (const container of listOf(pod, 'status', 'containerStatuses').toReversed()) {
    const state = fieldsOf(container, 'state');
    const waiting = textOf(state, 'waiting', 'reason');
    if (waiting !== '') result = waiting;
    else if (isFields(state.terminated)) result = terminatedReason(state.terminated);
    else if (isReady(container) && isFields(state.running)) running = true;
  }
  if (result === 'Completed' && running) return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  return result;
}

export function podSummary(pod: KubeObject, now: number): PodSummary {
  const containers = listOf(pod, 'status', 'containerStatuses');
  const sidecars = listOf(pod, 'status', 'initContainerStatuses').filter((status) =>
    isSidecar(pod, textOf(status, 'name')),
  );
  const total =
    listOf(pod, 'spec', 'containers').length +
    listOf(pod, 'spec', 'initContainers').filter((container) => textOf(container, 'restartPolicy') === 'Always').length;
  const ready = [
    ...containers.filter((status) => isReady(status) && isFields(fieldsOf(status, 'state').running)),
    ...sidecars.filter((status) => isStarted(status) && isReady(status)),
  ].length;

  const base = textOf(pod, 'status', 'reason') || textOf(pod, 'status', 'phase');
  const initializing = hasCondition(pod, 'Initialized') ? undefined : initStatus(pod);
  let status = initializing ?? mainStatus(pod, base);
  if (pod.metadata.deletionTimestamp !== undefined) {
    status = textOf(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
  }
  const counted =
    initializing === undefined ? [...containers, ...sidecars] : listOf(pod, 'status', 'initContainerStatuses');
  return { ready: `${ready}/${total}`, status, restarts: restartsOf(counted, now) };
}

function restartsOf(statuses: readonly unknown[], now: number): string {
  const count = statuses.reduce<number>((sum, status) => sum + (numberOf(status, 'restartCount') ?? 0), 0);
  const last = statuses
    .map((status) => textOf(status, 'lastState', 'terminated', 'finishedAt'))
    .sort()
    .at(-1);
  return count === 0 || last === undefined || last === '' ? String(count) : `${count} (${ageOf(last, now)} ago)`;
}
