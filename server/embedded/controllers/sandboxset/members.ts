import type { SetExpectations } from '../client/expectations';
import { keyOf, type SandboxSet, sandboxSchema } from '../client/objects';
import type { EventRecorder } from '../client/recorder';
import { collectionPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import { agentsPrefix, annotation, label } from '../rules/keys';
import { type Revision, setReference } from './revision';

export interface SetDeps {
  cluster: Cluster;
  recorder: EventRecorder;
  expectations: SetExpectations;
}

const firstBatch = 16;
const longestPrefix = 58;
const keptAnnotations = new Set<string>([annotation.cleanupEnabled, annotation.cleanupRetain]);

/** Works in parallel batches of 16, 32, 64 …; the first batch with an error is the last. @throws that error */
export async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0, size = firstBatch; start < items.length; start += size, size *= 2) {
    const results = await Promise.allSettled(items.slice(start, start + size).map(work));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

export async function createMember(deps: SetDeps, set: SandboxSet, revision: Revision): Promise<void> {
  const { cluster, recorder, expectations } = deps;
  const { namespace } = set.metadata;
  try {
    const body = memberOf(set, revision);
    const answer = await cluster.api.create(collectionPath(resources.sandboxes, namespace), body);
    const sandbox = sandboxSchema.parse(answer);
    if (cluster.sandboxes.get(keyOf(sandbox))?.metadata.uid !== sandbox.metadata.uid)
      expectations.created(keyOf(set), sandbox.metadata.uid);
    recorder.emit(
      resources.sandboxsets,
      set,
      'Normal',
      'SandboxCreated',
      `Sandbox ${namespace}/${sandbox.metadata.name} created`,
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    recorder.emit(resources.sandboxsets, set, 'Warning', 'CreateSandboxFailed', `Failed to create sandbox: ${why}`);
    throw error;
  }
}

/** A new member: the set's template and settings, the pool's labels, and the template's own labels and annotations. */
export function memberOf(set: SandboxSet, revision: Revision): Record<string, unknown> {
  const { name, namespace } = set.metadata;
  const user = (map: Record<string, string> | undefined, kept = new Set<string>()) =>
    Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !key.startsWith(agentsPrefix) || kept.has(key)));
  const poolLabels = {
    [label.pool]: name,
    [label.template]: set.spec.templateRef?.name ?? name,
    [label.claimed]: 'false',
    [label.templateHash]: revision.hash,
  };
  const { templateRef, template, volumeClaimTemplates, persistentContents, runtimes, pauseStrategy } = set.spec;
  return {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: {
      generateName: `${name}-`.slice(0, longestPrefix),
      namespace,
      labels: { ...user(revision.template.metadata?.labels), ...poolLabels },
      annotations: user(revision.template.metadata?.annotations, keptAnnotations),
      ownerReferences: [setReference(set)],
    },
    spec: {
      ...(templateRef === undefined
        ? {
            template: {
              ...template,
              metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...poolLabels } },
            },
          }
        : { templateRef }),
      volumeClaimTemplates,
      persistentContents,
      runtimes,
      pauseStrategy,
    },
  };
}
