import { isNotFound } from '../client/api';
import type { SetExpectations } from '../client/expectations';
import { keyOf, type Sandbox, type SandboxSet, sandboxSchema } from '../client/objects';
import type { EventRecorder } from '../client/recorder';
import { collectionPath, objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import { agentsPrefix, annotation, label, scaleDownOwner } from '../rules/keys';
import { type Revision, setReference } from './revision';

export interface SetDeps {
  cluster: Cluster;
  recorder: EventRecorder;
  expectations: SetExpectations;
}

const firstBatch = 16;
const longestPrefix = 58;
const keptAnnotations = new Set<string>([annotation.cleanupEnabled, annotation.cleanupRetain]);

/** Creates members in parallel batches of 16, 32, 64 …; the first batch with an error is the last. */
export async function createMembers(deps: SetDeps, set: SandboxSet, revision: Revision, count: number): Promise<void> {
  let size = firstBatch;
  for (let left = count; left > 0; size *= 2) {
    const batch = Math.min(left, size);
    const results = await Promise.allSettled(Array.from({ length: batch }, () => createMember(deps, set, revision)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    left -= batch;
  }
}

async function createMember(deps: SetDeps, set: SandboxSet, revision: Revision): Promise<void> {
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

/**
 * Locks a member in the pool's name, then deletes it. `lock` is one value for a whole pass.
 * @throws Error when somebody else holds the lock, or the member changed meanwhile.
 */
export async function lockAndDelete(deps: SetDeps, set: SandboxSet, sandbox: Sandbox, lock: string): Promise<void> {
  if (sandbox.metadata.annotations?.[annotation.lock] !== undefined)
    throw new Error(`sandbox ${keyOf(sandbox)} is locked`);
  await deps.cluster.api.patch(objectPath(resources.sandboxes, sandbox), {
    metadata: {
      resourceVersion: sandbox.metadata.resourceVersion,
      annotations: { [annotation.lock]: lock, [annotation.owner]: scaleDownOwner },
    },
  });
  await deleteMember(deps, set, sandbox);
}

export async function deleteMember(deps: SetDeps, set: SandboxSet, sandbox: Sandbox): Promise<void> {
  deps.expectations.deleted(keyOf(set), sandbox.metadata.uid);
  try {
    await deps.cluster.api.remove(objectPath(resources.sandboxes, sandbox), {
      preconditions: { uid: sandbox.metadata.uid },
    });
  } catch (error) {
    deps.expectations.observedDelete(keyOf(set), sandbox.metadata.uid);
    if (!isNotFound(error)) throw error;
  }
  // Gone, or waiting for its finalizer: either way the copy may already show it.
  const copy = deps.cluster.sandboxes.get(keyOf(sandbox));
  if (copy?.metadata.uid !== sandbox.metadata.uid || copy.metadata.deletionTimestamp !== undefined)
    deps.expectations.observedDelete(keyOf(set), sandbox.metadata.uid);
}
