import type { Subresource } from './kinds';

interface SubresourceDefinition {
  verbs: readonly string[];
  /** What it takes and gives, where that is not the kind itself. */
  kind?: string;
  group?: string;
}

export const SUBRESOURCES: Record<Subresource, SubresourceDefinition> = {
  attach: { verbs: ['create', 'get'], kind: 'PodAttachOptions' },
  binding: { verbs: ['create'], kind: 'Binding' },
  eviction: { verbs: ['create'], kind: 'Eviction', group: 'policy' },
  exec: { verbs: ['create', 'get'], kind: 'PodExecOptions' },
  finalize: { verbs: ['update'] },
  log: { verbs: ['get'] },
  portforward: { verbs: ['create', 'get'], kind: 'PodPortForwardOptions' },
  scale: { verbs: ['get', 'patch', 'update'], kind: 'Scale', group: 'autoscaling' },
  status: { verbs: ['get', 'patch', 'update'] },
  token: { verbs: ['create'], kind: 'TokenRequest', group: 'authentication.k8s.io' },
};
