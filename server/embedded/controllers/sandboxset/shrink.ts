import { randomUUID } from 'node:crypto';
import { isNotFound } from '../client/api';
import { keyOf, type Sandbox, type SandboxSet } from '../client/objects';
import { objectPath, resources } from '../client/resources';
import { annotation, scaleDownOwner } from '../rules/keys';
import { isUpdated, rollingUpdateVictims, scaleDownOrder } from './arithmetic';
import { inBatches, type SetDeps } from './members';
import type { Revision } from './revision';

/** Members that count. */
export interface Living {
  creating: Sandbox[];
  available: Sandbox[];
}

/** Old revisions first; the others only when all of those could be deleted. */
export async function scaleDown(
  deps: SetDeps,
  set: SandboxSet,
  revision: Revision,
  { creating, available }: Living,
  count: number,
): Promise<void> {
  const lock = randomUUID();
  const victims = scaleDownOrder(creating, available, revision).slice(0, count);
  const updated = (sandbox: Sandbox) => isUpdated(sandbox, revision);
  for (const group of [victims.filter((sandbox) => !updated(sandbox)), victims.filter(updated)])
    await inBatches(group, async (sandbox) => {
      await lockAndDelete(deps, set, sandbox, lock);
      const text = `Sandbox ${keyOf(sandbox)} locked and deleted`;
      deps.recorder.emit(resources.sandboxes, sandbox, 'Normal', 'SandboxScaledDown', text);
    });
}

/** What is still being created goes first; the available ones only when all of those could be deleted. */
export async function rollingUpdate(
  deps: SetDeps,
  set: SandboxSet,
  revision: Revision,
  { creating, available }: Living,
): Promise<void> {
  const lock = randomUUID();
  const victims = rollingUpdateVictims(set, creating, available, revision);
  for (const group of [
    victims.filter((one) => creating.includes(one)),
    victims.filter((one) => available.includes(one)),
  ])
    await inBatches(group, async (sandbox) => {
      await lockAndDelete(deps, set, sandbox, lock);
      const text = `Deleted sandbox ${keyOf(sandbox)} for update`;
      deps.recorder.emit(resources.sandboxsets, set, 'Normal', 'RollingUpdate', text);
    });
}

/**
 * Locks a member in the pool's name, then deletes it. `lock` is one value for a whole pass.
 * @throws Error when somebody else holds the lock, or the member changed meanwhile. A lock of the pool's own, left by a pass that
 * broke off, is no obstacle.
 */
async function lockAndDelete(deps: SetDeps, set: SandboxSet, sandbox: Sandbox, lock: string): Promise<void> {
  const { annotations = {} } = sandbox.metadata;
  if (annotations[annotation.lock] && annotations[annotation.owner] !== scaleDownOwner)
    throw new Error(`sandbox ${keyOf(sandbox)} is locked`);
  await deps.cluster.api.patch(objectPath(resources.sandboxes, sandbox), {
    metadata: {
      resourceVersion: sandbox.metadata.resourceVersion,
      annotations: { [annotation.lock]: lock, [annotation.owner]: scaleDownOwner },
    },
  });
  await deleteMember(deps, set, sandbox);
}

async function deleteMember(deps: SetDeps, set: SandboxSet, sandbox: Sandbox): Promise<void> {
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
