import { controllerOf, type PodTemplate, type SandboxSet } from '../client/objects';
import { collectionPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import { legacyPoolRevision, poolRevision } from '../rules/hashes';

export interface Revision {
  /** Hash of the effective template. */
  hash: string;
  /** What the hash was before v0.4; only of an inline template. */
  legacyHash?: string;
  /** Name of the SandboxTemplate that holds it. */
  templateName: string;
  template: PodTemplate;
}

/**
 * The set's current revision; an inline template is kept as a SandboxTemplate named `<set>-<hash>`, owned by the set.
 * @throws Error without a template, with a missing reference, or when another owner has that name: the pass ends unseen.
 */
export async function currentRevision(cluster: Cluster, set: SandboxSet): Promise<Revision> {
  const { namespace, name, uid } = set.metadata;
  const reference = set.spec.templateRef?.name;
  if (reference !== undefined) {
    const template = cluster.templates.get(`${namespace}/${reference}`)?.spec?.template;
    if (template === undefined) throw new Error(`SandboxTemplate ${reference} not found`);
    return { hash: poolRevision(set, template), templateName: reference, template };
  }
  const template = set.spec.template;
  if (template === undefined) throw new Error('the set has neither template nor templateRef');
  const hash = poolRevision(set, template);
  const legacyHash = legacyPoolRevision(template);
  const templateName = `${name}-${hash}`;
  const existing = cluster.templates.get(`${namespace}/${templateName}`);
  if (existing !== undefined) {
    if (controllerOf(existing)?.uid !== uid) throw new Error(`SandboxTemplate ${templateName} is not owned by the set`);
    return { hash, legacyHash, templateName, template };
  }
  try {
    await cluster.api.create(collectionPath(resources.sandboxtemplates, namespace), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxTemplate',
      metadata: {
        name: templateName,
        namespace,
        ownerReferences: [{ ...setReference(set), blockOwnerDeletion: false }],
      },
      spec: {
        template,
        volumeClaimTemplates: set.spec.volumeClaimTemplates,
        persistentContents: set.spec.persistentContents,
        runtimes: set.spec.runtimes,
        pauseStrategy: set.spec.pauseStrategy,
      },
    });
  } catch (error) {
    // Made a moment ago and not in the local copy yet.
    if (!(error instanceof Error) || !error.message.includes('already exists')) throw error;
  }
  return { hash, legacyHash, templateName, template };
}

/** The reference that makes the set the controller of what it makes. */
export const setReference = (set: SandboxSet) => ({
  apiVersion: 'agents.kruise.io/v1alpha1',
  kind: 'SandboxSet',
  name: set.metadata.name,
  uid: set.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});
