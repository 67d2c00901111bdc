import { z } from 'zod';
import { type Condition, podSchema } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import { timestamp } from '../controllers/rules/conditions';
import { simulatedNodes } from './cordon';
import { ControlError, type End, type Targets } from './fault';

const podList = z.looseObject({ items: z.array(podSchema) });
const unreachable = 'node.kubernetes.io/unreachable';

interface Params {
  node?: string | undefined;
  evictAfterSeconds: number;
}

/**
 * Silences a node and does what kube-controller-manager's node lifecycle controller does about it (Kubernetes 1.35): Ready
 * becomes Unknown, taints, Pods not ready; then, by taint, Pods marked for deletion. A cluster with a control plane of its own
 * does that itself, 40 s after the last lease.
 */
export async function nodeDown(targets: Targets, { node: wanted, evictAfterSeconds }: Params): Promise<End> {
  const { api, switches, controlPlane } = targets;
  const nodes = (await simulatedNodes(targets)).map(({ metadata }) => metadata.name);
  const all = podList.parse(await api.get(collectionPath(resources.pods))).items;
  const countOn = (node: string) => all.filter(({ spec }) => spec.nodeName === node).length;
  const name = wanted ?? nodes.sort((a, b) => countOn(b) - countOn(a))[0];
  if (name === undefined || !nodes.includes(name)) {
    throw new ControlError(409, `There is no simulated node "${wanted ?? ''}". There are: ${nodes.join(', ')}.`);
  }
  const speak = switches.nodes.silence(name);
  if (!controlPlane) return speak;
  const node = objectPath(resources.nodes, { metadata: { name } });
  const pods = async () =>
    podList.parse(await api.get(`${collectionPath(resources.pods)}?fieldSelector=spec.nodeName%3D${name}`)).items;

  const setReady = async (status: 'True' | 'Unknown', reason: string, message: string) => {
    const at = timestamp();
    const condition = { type: 'Ready', status, reason, message, lastHeartbeatTime: at, lastTransitionTime: at };
    await api.patch(`${node}/status`, { status: { conditions: [condition] } }, 'strategic');
  };
  const setPodsReady = async (status: 'True' | 'False') => {
    const running = (await pods()).filter(({ status: now }) => now?.phase === 'Running');
    await Promise.allSettled(
      running.map((pod) => {
        const ready: Condition = { type: 'Ready', status, lastTransitionTime: timestamp() };
        const path = objectPath(resources.pods, pod, 'status');
        return api.patch(path, { status: { conditions: [ready] } }, 'strategic');
      }),
    );
  };

  await setReady('Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.');
  const taints = [
    { key: unreachable, effect: 'NoSchedule', timeAdded: timestamp() },
    { key: unreachable, effect: 'NoExecute', timeAdded: timestamp() },
  ];
  await api.patch(node, { spec: { taints } });
  await setPodsReady('False');
  const evict = async () =>
    Promise.allSettled((await pods()).map((pod) => api.remove(objectPath(resources.pods, pod))));
  const timer = setTimeout(() => void evict().catch(() => undefined), evictAfterSeconds * 1000);
  return async () => {
    clearTimeout(timer);
    await api.patch(node, { spec: { taints: null } });
    await setReady('True', 'KubeletReady', 'kubelet is posting ready status');
    await setPodsReady('True');
    speak();
  };
}
