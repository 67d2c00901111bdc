import { isNotFound } from '../client/api';
import { checkpointSchema } from '../client/objects';
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
  const existing = cluster.checkpoints.lookup('sandbox', pass.key)[0];
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
    pass.set('Upgrading', 'False', 'CheckpointFailed', `checkpoint ${name} failed`);
    pass.emit('Warning', 'CheckpointFailed', `Checkpoint ${name} failed`);
    pass.failure = new Error(`checkpoint ${name} failed`);
    return false;
  }
  if (existing.status?.phase !== 'Succeeded' || !existing.status.checkpointId) {
    pass.set('Upgrading', 'False', 'Checkpointing', waitingFor(name));
    return false;
  }
  pass.emit('Normal', 'CheckpointSucceeded', `Checkpoint ${name} succeeded for upgrade`);
  return true;
}

export async function deleteCheckpoints(pass: Pass): Promise<void> {
  for (const checkpoint of pass.deps.cluster.checkpoints.lookup('sandbox', pass.key)) {
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
