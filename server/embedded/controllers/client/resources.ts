/** A kind as the REST paths name it. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

const agents = (plural: string, kind: string): Resource => ({
  group: 'agents.kruise.io',
  version: 'v1alpha1',
  plural,
  kind,
  namespaced: true,
});
const core = (plural: string, kind: string, namespaced = true): Resource => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const resources = {
  sandboxes: agents('sandboxes', 'Sandbox'),
  sandboxsets: agents('sandboxsets', 'SandboxSet'),
  sandboxclaims: agents('sandboxclaims', 'SandboxClaim'),
  sandboxtemplates: agents('sandboxtemplates', 'SandboxTemplate'),
  sandboxupdateops: agents('sandboxupdateops', 'SandboxUpdateOps'),
  checkpoints: agents('checkpoints', 'Checkpoint'),
  pods: core('pods', 'Pod'),
  events: core('events', 'Event'),
  configmaps: core('configmaps', 'ConfigMap'),
  nodes: core('nodes', 'Node', false),
  namespaces: core('namespaces', 'Namespace', false),
  persistentvolumeclaims: core('persistentvolumeclaims', 'PersistentVolumeClaim'),
  persistentvolumes: core('persistentvolumes', 'PersistentVolume', false),
  secrets: core('secrets', 'Secret'),
  leases: { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
} satisfies Record<string, Resource>;

export const apiVersionOf = (r: Resource): string => (r.group === '' ? r.version : `${r.group}/${r.version}`);

/** Path of a collection; without a namespace all of them. */
export function collectionPath(r: Resource, namespace?: string): string {
  const root = r.group === '' ? `/api/${r.version}` : `/apis/${r.group}/${r.version}`;
  return r.namespaced && namespace !== undefined
    ? `${root}/namespaces/${namespace}/${r.plural}`
    : `${root}/${r.plural}`;
}

/** Path of one object or of a subresource of it. */
export function objectPath(
  r: Resource,
  object: { metadata: { name: string; namespace?: string | undefined } },
  subresource?: string,
): string {
  const path = `${collectionPath(r, object.metadata.namespace)}/${object.metadata.name}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
