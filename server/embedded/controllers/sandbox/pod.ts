import type { PodTemplate, Sandbox } from '../client/objects';
import { label } from '../rules/keys';

/** The Pod of a sandbox: its name, the template (runtimes are in it already) with its claims mounted, owned by it. */
export function podFor(sandbox: Sandbox, template: PodTemplate, revision: string): Record<string, unknown> {
  const { metadata, spec } = template;
  const claims = (sandbox.spec.volumeClaimTemplates ?? []).map((claim) => ({
    name: claim.metadata.name,
    persistentVolumeClaim: { claimName: `${claim.metadata.name}-${sandbox.metadata.name}` },
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: sandbox.metadata.name,
      namespace: sandbox.metadata.namespace,
      labels: { ...metadata?.labels, [label.createdBy]: 'sandbox', [label.podTemplateHash]: revision },
      annotations: { ...metadata?.annotations, [label.createdBy]: 'sandbox' },
      ownerReferences: [ownerReference(sandbox)],
    },
    spec: { ...spec, ...(claims.length === 0 ? {} : { volumes: [...(spec?.volumes ?? []), ...claims] }) },
  };
}

/** The controller reference that ties what a sandbox makes to the sandbox. */
export const ownerReference = (sandbox: Sandbox) => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'Sandbox',
  name: sandbox.metadata.name,
  uid: sandbox.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});
