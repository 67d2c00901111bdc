import { isNotFound } from '../controllers/client/api';
import { keyOf, type Node, type Pod } from '../controllers/client/objects';
import { WorkQueue } from '../controllers/client/queue';
import { objectPath, resources } from '../controllers/client/resources';
import type { Cluster } from '../controllers/cluster';
import { stableJson } from '../controllers/rules/hashes';
import { durationMs } from '../controllers/rules/quantities';
import { AddressPool } from './addresses';
import type { NodeFaults } from './node-faults';
import { draw, type KubeletDelays } from './options';
import { resizedStatus } from './resizes';
import { acceptedStatus, backOffStatus, pullAgainStatus, restartedStatus, startedStatus, wouldStart } from './statuses';

const workers = 64;
const longestPullMs = 300_000;
const startDelay = 'sim.local/start-delay';
const stopDelay = 'sim.local/stop-delay';

/** Label of a node that only exists here; on a cluster with real kubelets no other node is touched. */
export const simulatedNode = 'sim.local/node';

/** Where a Pod of this process stands, and when the next step is due (epoch milliseconds). */
interface Progress {
  uid: string;
  step: 'accept' | 'start' | 'backOff' | 'pull' | 'settled' | 'stop';
  due: number;
  /** Failed pulls so far. */
  pulls?: number;
}

/**
 * Every simulated node's kubelet: accepts Pods, starts them, fails them as image names say, ends them after their stop time.
 * `everyNode` false: only Pods on nodes with the label {@link simulatedNode}.
 */
export function kubelet(cluster: Cluster, delays: KubeletDelays, everyNode: boolean): WorkQueue {
  const progress = new Map<string, Progress>();
  const { nodes: faults } = cluster.switches;
  const addresses = new AddressPool();
  const queue: WorkQueue = new WorkQueue('kubelet', workers, async (key) => {
    const pod = cluster.pods.get(key);
    if (pod === undefined) {
      progress.delete(key);
      return;
    }
    const node = cluster.nodes.get(pod.spec.nodeName ?? '');
    if (faults.isSilent(pod.spec.nodeName ?? '')) return;
    if (node === undefined || !(everyNode || node.metadata.labels?.[simulatedNode] === 'true')) return;
    const current = stepOf(progress.get(key), pod, node, delays, faults);
    progress.set(key, current);
    const wait = current.due - Date.now();
    if (wait > 0) return { requeueAfterMs: wait };
    await take(cluster, pod, node, current, delays, addresses);
    const next = progress.get(key);
    return next === undefined || next.step === 'settled'
      ? undefined
      : { requeueAfterMs: Math.max(0, next.due - Date.now()) };
  });
  faults.onChange(() => {
    for (const pod of cluster.pods.list()) {
      const key = keyOf(pod);
      if (wouldStart(pod, faults.rulesFor(pod))) progress.set(key, startStep(pod, delays, faults));
      queue.add(key);
    }
  });
  cluster.pods.onChange((before, after) => {
    const pod = after ?? before;
    if (pod !== undefined && (pod.spec.nodeName ?? '') !== '') queue.add(keyOf(pod));
    const address = after?.status?.podIP;
    if (after !== undefined && address !== undefined) addresses.keep(after.metadata.uid, address);
    if (after === undefined && before !== undefined) addresses.release(before.metadata.uid);
  });
  return queue;
}

/** The step a Pod is in, recognised from its status when this process did not follow it (a restart). */
function stepOf(
  known: Progress | undefined,
  pod: Pod,
  node: Node,
  delays: KubeletDelays,
  faults: NodeFaults,
): Progress {
  const { uid, deletionTimestamp, annotations } = pod.metadata;
  const now = Date.now();
  if (deletionTimestamp !== undefined) {
    if (known?.uid === uid && known.step === 'stop') return known;
    const grace = (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000;
    return { uid, step: 'stop', due: now + Math.min(grace, durationMs(annotations?.[stopDelay]) ?? draw(delays.stop)) };
  }
  if (known?.uid === uid) {
    const changed = restartedStatus(pod) ?? resizedStatus(pod, node);
    if (known.step === 'settled' && changed !== undefined) return { uid, step: 'backOff', due: now };
    return known;
  }
  if (pod.status?.startTime === undefined) return { uid, step: 'accept', due: now + draw(delays.create) };
  if (pod.status.podIP === undefined) return startStep(pod, delays, faults);
  return { uid, step: 'backOff', due: now };
}

function startStep(pod: Pod, delays: KubeletDelays, faults: NodeFaults): Progress {
  const wait = durationMs(pod.metadata.annotations?.[startDelay]) ?? draw(delays.start);
  return { uid: pod.metadata.uid, step: 'start', due: Date.now() + wait + faults.startMs(pod) };
}

/** Does the step that is due and moves on to the next. */
async function take(
  cluster: Cluster,
  pod: Pod,
  node: Node,
  current: Progress,
  delays: KubeletDelays,
  addresses: AddressPool,
): Promise<void> {
  const settle = () => Object.assign(current, { step: 'settled', due: Number.POSITIVE_INFINITY });
  if (current.step === 'accept') {
    await writeStatus(cluster, pod, acceptedStatus(pod));
    Object.assign(current, startStep(pod, delays, cluster.switches.nodes));
  } else if (current.step === 'start') {
    const rules = cluster.switches.nodes.rulesFor(pod);
    const status = startedStatus(pod, addresses.of(pod.metadata.uid), rules);
    await writeStatus(cluster, pod, status);
    const failing = backOffStatus({ ...pod, status });
    const crashed = status.phase === 'Running';
    if (failing === undefined) settle();
    else
      Object.assign(current, {
        step: 'backOff',
        due: Date.now() + (crashed ? delays.crashBackOff : delays.pullBackOff),
      });
  } else if (current.step === 'backOff') {
    const restarted = restartedStatus(pod);
    const status =
      resizedStatus(restarted === undefined ? pod : { ...pod, status: restarted }, node) ??
      restarted ??
      backOffStatus(pod);
    if (status !== undefined) await writeStatus(cluster, pod, status);
    if (pullAgainStatus({ ...pod, status: status ?? pod.status }) === undefined) {
      settle();
    } else {
      const pulls = current.pulls ?? 0;
      const wait = Math.min(longestPullMs, delays.pullRetry * 2 ** pulls);
      Object.assign(current, { step: 'pull', due: Date.now() + wait, pulls: pulls + 1 });
    }
  } else if (current.step === 'pull') {
    const status = pullAgainStatus(pod);
    if (status !== undefined) await writeStatus(cluster, pod, status);
    Object.assign(current, { step: 'backOff', due: Date.now() + delays.pullBackOff });
  } else if (current.step === 'stop') {
    settle();
    await ignoreMissing(
      cluster.api.remove(objectPath(resources.pods, pod), {
        gracePeriodSeconds: 0,
        preconditions: { uid: pod.metadata.uid },
      }),
    );
  }
}

async function writeStatus(cluster: Cluster, pod: Pod, status: NonNullable<Pod['status']>): Promise<void> {
  if (stableJson(status) === stableJson(pod.status)) return;
  await ignoreMissing(
    cluster.api.patch(objectPath(resources.pods, pod, 'status'), { metadata: { uid: pod.metadata.uid }, status }),
  );
}

async function ignoreMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
