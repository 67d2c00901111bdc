import { isNotFound } from '../client/api';
import { type Checkpoint, checkpointSchema, controllerOf } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import { label } from '../rules/keys';
import type { Pass } from './pass';
import { ownerReference } from './pod';

/**
 * CheckpointRestore: makes a Checkpoint and waits for it. Nothing in the open-source tree completes one, so without another
 * controller it waits for ever.
 */
export async function checkpointed(pass: Pass): Promise<boolean> {
  const { cluster } = pass.deps;
  const { metadata } = pass.sandbox;
  const existing = checkpointsOf(pass).find(({ metadata }) => metadata.labels?.[label.checkpointType] === 'filesystem');
  if (existing === undefined) {
    // The condition names the one that was made before the local copy shows it.
    if (pass.condition('Upgrading')?.reason === 'Checkpointing' && pass.condition('Upgrading')?.message) return false;
    const name = `${metadata.name}-${randomSuffix(8)}`;
    const answer = await cluster.api.create(collectionPath(resources.checkpoints, metadata.namespace), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'Checkpoint',
      metadata: {
        name,
        namespace: metadata.namespace,
        labels: { [label.checkpointType]: 'filesystem', [label.sandboxName]: metadata.name },
        ownerReferences: [ownerReference(pass.sandbox)],
      },
      spec: { sandboxName: metadata.name, persistentContents: ['filesystem'] },
    });
    checkpointSchema.parse(answer);
    pass.emit('Normal', 'CheckpointStarted', `Checkpoint ${name} created, waiting for completion`);
    pass.set('Upgrading', 'False', 'Checkpointing', waitingFor(name));
    return false;
  }
  const { name } = existing.metadata;
  if (existing.status?.phase === 'Failed') {
    const why = `${name} failed during upgrade: ${existing.status.message ?? ''}`;
    pass.set('Upgrading', 'False', 'CheckpointFailed', `checkpoint ${why}`);
    pass.emit('Warning', 'CheckpointFailed', `Checkpoint ${why}`);
    pass.failure = new Error(`checkpoint ${why}`);
    return false;
  }
  if (existing.status?.phase !== 'Succeeded') {
    pass.set('Upgrading', 'False', 'Checkpointing', waitingFor(name));
    return false;
  }
  pass.emit('Normal', 'CheckpointSucceeded', `Checkpoint ${name} succeeded for upgrade`);
  return true;
}

/** Those of the sandbox that are not going, the newest first. */
const checkpointsOf = ({ deps, key, sandbox }: Pass): Checkpoint[] =>
  deps.cluster.checkpoints
    .lookup('sandbox', key)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter((checkpoint) => controllerOf(checkpoint)?.uid === sandbox.metadata.uid)
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') > (b.metadata.creationTimestamp ?? '') ? -1 : 1));

/** @throws Error when no checkpoint has an id: a new Pod could restore nothing. */
export function requireCheckpointId(pass: Pass): void {
  if (!checkpointsOf(pass).some(({ status }) => status?.checkpointId))
    throw new Error('checkpoint ID not found for CheckpointRestore upgrade');
}

export async function deleteCheckpoints(pass: Pass): Promise<void> {
  for (const checkpoint of checkpointsOf(pass)) {
    try {
      await pass.deps.cluster.api.remove(objectPath(resources.checkpoints, checkpoint));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

const waitingFor = (name: string): string => `Waiting for checkpoint ${name} to complete before pod deletion`;

const letters = 'bcdfghjklmnpqrstvwxz2456789';
const randomSuffix = (length: number): string =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
