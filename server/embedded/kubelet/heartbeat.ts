import { isNotFound } from '../controllers/client/api';
import type { Node } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import type { Cluster } from '../controllers/cluster';
import { simulatedNode } from './kubelet';

const intervalMs = 10_000;
const leaseNamespace = 'kube-node-lease';

/**
 * Renews the lease of every simulated node: a real control plane takes a silent node for lost after 40 s. One that was
 * lost, as after a restart of the simulator, says that it is ready again; the control plane then takes its taints away.
 */
export async function heartbeat(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const beat = () => {
    for (const node of cluster.nodes.list())
      if (node.metadata.labels?.[simulatedNode] === 'true' && !cluster.switches.nodes.isSilent(node.metadata.name))
        Promise.all([renew(cluster, node), reportReady(cluster, node)]).catch((error) =>
          console.warn(`heartbeat of ${node.metadata.name}: ${String(error)}`),
        );
  };
  beat();
  const timer = setInterval(beat, intervalMs);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

async function renew(cluster: Cluster, node: Node): Promise<void> {
  const { name } = node.metadata;
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: new Date().toISOString().replace('Z', '000Z'),
  };
  const lease = { metadata: { name, namespace: leaseNamespace } };
  try {
    await cluster.api.patch(objectPath(resources.leases, lease), { spec });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await cluster.api.create(collectionPath(resources.leases, leaseNamespace), {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      ...lease,
      spec,
    });
  }
}

async function reportReady(cluster: Cluster, node: Node): Promise<void> {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return;
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  };
  await cluster.api.patch(
    `${objectPath(resources.nodes, node)}/status`,
    { status: { conditions: [condition] } },
    'strategic',
  );
}
