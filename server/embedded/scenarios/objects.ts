import { type Api, ApiError } from '../controllers/client/api';
import { collectionPath, objectPath, type Resource, resources } from '../controllers/client/resources';
import { injectionConfig } from '../controllers/sandbox/runtimes';
import { simulatedNode } from '../kubelet/kubelet';

/** An object as it is sent: its name, and whatever its kind wants. */
interface Draft {
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** Creates the object unless one of its name is there already. */
export async function ensure(api: Api, resource: Resource, object: Draft): Promise<void> {
  try {
    await api.create(collectionPath(resource, object.metadata.namespace), object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 409) throw error;
  }
}

export const ensureNamespace = (api: Api, name: string): Promise<void> =>
  ensure(api, resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** Ready worker nodes `worker-01` … that exist only here, each with room for 110 Pods. */
export async function ensureNodes(api: Api, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await ensureNode(api, `worker-${String(number).padStart(2, '0')}`, {}, number);
  }
}

/** A Ready node that only exists here. */
export async function ensureNode(api: Api, name: string, spec: object, number = 100): Promise<void> {
  const at = new Date().toISOString();
  const size = { cpu: '32', memory: '128Gi', pods: '110', 'ephemeral-storage': '400Gi' };
  await ensure(api, resources.nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        [simulatedNode]: 'true',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': `zone-${'abc'[number % 3]}`,
      },
    },
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  });
  await api.patch(objectPath(resources.nodes, { metadata: { name } }, 'status'), {
    status: {
      capacity: size,
      allocatable: size,
      addresses: [{ type: 'InternalIP', address: `10.0.0.${10 + number}` }],
      nodeInfo: {
        kubeletVersion: 'v1.35.4',
        containerRuntimeVersion: 'containerd://1.7.14',
        osImage: 'Simulated',
        kernelVersion: '6.12.0',
        architecture: 'amd64',
        operatingSystem: 'linux',
        machineID: name,
        systemUUID: name,
        bootID: name,
        kubeProxyVersion: '',
      },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
          lastHeartbeatTime: at,
          lastTransitionTime: at,
        },
      ],
    },
  });
}

/** What an installation brings: the runtimes that a sandbox may ask for in `spec.runtimes`. */
export async function ensureRuntimes(api: Api): Promise<void> {
  await ensureNamespace(api, injectionConfig.metadata.namespace);
  const sidecar = (key: 'csiSidecar' | 'initContainers', name: string, image: string) =>
    JSON.stringify({ [key]: [{ name, image, restartPolicy: 'Always' }] });
  await ensure(api, resources.configmaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...injectionConfig,
    data: {
      'agent-runtime': sidecar('csiSidecar', 'agent-runtime', 'registry.local/agents/agent-runtime:v0.6.0'),
      csi: sidecar('csiSidecar', 'csi-sidecar', 'registry.local/agents/csi-sidecar:v0.6.0'),
      'traffic-proxy': sidecar('initContainers', 'istio-proxy', 'registry.local/agents/traffic-proxy:v0.6.0'),
    },
  });
}
