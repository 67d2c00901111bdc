import { isConflict, isNotFound } from '../controllers/client/api';
import { keyOf, type Node, type Pod } from '../controllers/client/objects';
import { WorkQueue } from '../controllers/client/queue';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import type { Cluster } from '../controllers/cluster';
import { findCondition, timestamp } from '../controllers/rules/conditions';

const name = 'default-scheduler';

/** Binds Pods to the ready node with the fewest, as kube-scheduler would; a Pod that fits nowhere is marked Unschedulable. */
export function scheduler(cluster: Cluster): WorkQueue {
  const assumed = new Map<string, string>();
  const queue = new WorkQueue('scheduler', 16, async (key) => {
    const pod = cluster.pods.get(key);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || (pod.spec.nodeName ?? '') !== '') return;
    if ((pod.spec.schedulerName ?? name) !== name) return;
    if (assumed.get(pod.metadata.uid) !== undefined) return;
    const node = choose(cluster, pod, assumed);
    if (node === undefined) return await reportUnschedulable(cluster, pod);
    assumed.set(pod.metadata.uid, node);
    try {
      await cluster.api.create(objectPath(resources.pods, pod, 'binding'), {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      });
    } catch (error) {
      assumed.delete(pod.metadata.uid);
      if (!isNotFound(error) && !isConflict(error)) throw error;
      return;
    }
    const text = `Successfully assigned ${key} to ${node}`;
    await event(cluster, pod, 'Normal', 'Scheduled', 'Binding', text);
  });
  cluster.pods.onChange((before, after) => {
    const uid = (after ?? before)?.metadata.uid ?? '';
    if (after === undefined || (after.spec.nodeName ?? '') !== '') assumed.delete(uid);
    else queue.add(keyOf(after));
  });
  cluster.nodes.onChange((_before, after) => {
    if (after !== undefined && usable(after)) for (const pod of cluster.pods.lookup('node', '')) queue.add(keyOf(pod));
  });
  return queue;
}

const usable = (node: Node): boolean =>
  node.spec?.unschedulable !== true && findCondition(node.status?.conditions, 'Ready')?.status === 'True';

function choose(cluster: Cluster, pod: Pod, assumed: Map<string, string>): string | undefined {
  const pending = new Map<string, number>();
  for (const node of assumed.values()) pending.set(node, (pending.get(node) ?? 0) + 1);
  let best: { name: string; count: number } | undefined;
  for (const node of cluster.nodes.list()) {
    if (!usable(node) || !fits(pod, node)) continue;
    const count = cluster.pods.lookup('node', node.metadata.name).length + (pending.get(node.metadata.name) ?? 0);
    if (count >= Number(node.status?.allocatable?.pods ?? Number.POSITIVE_INFINITY)) continue;
    if (best === undefined || count < best.count) best = { name: node.metadata.name, count };
  }
  return best?.name;
}

async function reportUnschedulable(cluster: Cluster, pod: Pod): Promise<undefined> {
  const message = whyNowhere(cluster, pod);
  const old = findCondition(pod.status?.conditions, 'PodScheduled');
  if (old?.reason === 'Unschedulable' && old.message === message) return;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastProbeTime: null,
    lastTransitionTime: timestamp(),
  };
  await cluster.api.patch(objectPath(resources.pods, pod, 'status'), { status: { conditions: [condition] } });
  await event(cluster, pod, 'Warning', 'FailedScheduling', 'Scheduling', message);
}

/** kube-scheduler's text: how many nodes each reason rules out, and that nothing could be evicted to make room. */
function whyNowhere(cluster: Cluster, pod: Pod): string {
  const nodes = [...cluster.nodes.list()];
  const reasons = new Map<string, number>();
  for (const node of nodes) {
    const why = obstacle(pod, node);
    reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  const parts = [...reasons].map(([why, count]) => `${count} ${why}`).sort();
  if (parts.length === 0) return 'no nodes available to schedule pods';
  const full = reasons.get(tooMany) ?? 0;
  const preemption = [
    ...(full > 0 ? [`${full} No preemption victims found for incoming pod.`] : []),
    ...(full < nodes.length ? [`${nodes.length - full} Preemption is not helpful for scheduling.`] : []),
  ].join(', ');
  return `0/${nodes.length} nodes are available: ${parts.join(', ')}. no new claims to deallocate, preemption: 0/${nodes.length} nodes are available: ${preemption}`;
}

const tooMany = 'Too many pods';

function obstacle(pod: Pod, node: Node): string {
  if (node.spec?.unschedulable === true) return 'node(s) were unschedulable';
  if (!usable(node)) return 'node(s) had untolerated taint(s)';
  return fits(pod, node) ? tooMany : "node(s) didn't match Pod's node affinity/selector";
}

const fits = (pod: Pod, node: Node): boolean =>
  Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => node.metadata.labels?.[key] === value);

/** The scheduler writes events of the new kind: eventTime, no count, no source. */
async function event(
  cluster: Cluster,
  pod: Pod,
  type: string,
  reason: string,
  action: string,
  message: string,
): Promise<void> {
  const { namespace = 'default', uid, resourceVersion } = pod.metadata;
  const now = new Date();
  await cluster.api.create(collectionPath(resources.events, namespace), {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${pod.metadata.name}.${(BigInt(now.getTime()) * 1_000_000n).toString(16)}`, namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, namespace, uid, resourceVersion },
    type,
    reason,
    message,
    action,
    eventTime: now.toISOString().replace('Z', '000Z'),
    reportingComponent: name,
    reportingInstance: `${name}-simulator`,
    source: {},
  });
}
