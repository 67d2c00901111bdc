import type { ResourceRequest } from './requests';
import { methodNotAllowed, noSuchResource, notFound, verbNotSupported } from './status';

interface SubresourceDefinition {
  verbs: readonly string[];
  /** What it takes and gives, where that is not the kind itself. */
  kind?: string;
  group?: string;
}

export const SUBRESOURCES = {
  attach: { verbs: ['create', 'get'], kind: 'PodAttachOptions' },
  binding: { verbs: ['create'], kind: 'Binding' },
  eviction: { verbs: ['create'], kind: 'Eviction', group: 'policy' },
  exec: { verbs: ['create', 'get'], kind: 'PodExecOptions' },
  finalize: { verbs: ['update'] },
  log: { verbs: ['get'] },
  portforward: { verbs: ['create', 'get'], kind: 'PodPortForwardOptions' },
  resize: { verbs: ['get', 'patch', 'update'] },
  scale: { verbs: ['get', 'patch', 'update'], kind: 'Scale', group: 'autoscaling' },
  status: { verbs: ['get', 'patch', 'update'] },
  token: { verbs: ['create'], kind: 'TokenRequest', group: 'authentication.k8s.io' },
} as const satisfies Record<string, SubresourceDefinition>;

export type Subresource = keyof typeof SUBRESOURCES;

export const definitionOf = (subresource: Subresource): SubresourceDefinition => SUBRESOURCES[subresource];

const METHODS: Record<string, string> = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** Refuses a subresource that a kind does not have, or not with this method. */
export function checkSubresource({
  method,
  target: { kind, name },
  subresource,
}: Pick<ResourceRequest, 'method' | 'target' | 'subresource'>): void {
  if (subresource === '') return;
  const known = kind.subresources.find((each) => each === subresource);
  if (known === undefined) throw kind.isCustom === true ? notFound(kind, name) : noSuchResource();
  const verb = METHODS[method] ?? '';
  if (definitionOf(known).verbs.includes(verb)) return;
  throw kind.isCustom !== true ? methodNotAllowed() : verbNotSupported(kind, verb);
}
