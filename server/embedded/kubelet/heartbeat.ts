import { isNotFound } from '../controllers/client/api';
import type { Node } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import type { Cluster } from '../controllers/cluster';
import { simulatedNode } from './kubelet';

const intervalMs = 10_000;
const leaseNamespace = 'kube-node-lease';

/** Renews the lease of every simulated node: a real control plane takes a silent node for lost after 40 s. */
export async function heartbeat(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const beat = () => {
    for (const node of cluster.nodes.list())
      if (node.metadata.labels?.[simulatedNode] === 'true' && !cluster.switches.nodes.isSilent(node.metadata.name))
        renew(cluster, node).catch((error) => console.warn(`lease of ${node.metadata.name}: ${String(error)}`));
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
