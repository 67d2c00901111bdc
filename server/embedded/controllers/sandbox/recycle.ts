import { objectPath, resources } from '../client/resources';
import { timestamp } from '../rules/conditions';
import { annotation, label } from '../rules/keys';
import { durationMs } from '../rules/quantities';
import type { Pass } from './pass';

const timeoutMs = 60_000;
const graceMs = 10_000;
const pollMs = 5000;

/** The manager asked for it, the pool allows it, and it was not refused already. */
export function wantsRecycling(pass: Pass): boolean {
  const annotations = pass.sandbox.metadata.annotations ?? {};
  const asked = annotations[annotation.cleanup] === 'true' && annotations[annotation.cleanupEnabled] === 'true';
  return asked && pass.condition('Recycling')?.reason !== 'RecyclingRejected';
}

export function beginRecycling(pass: Pass): void {
  if ((pass.sandbox.spec.volumeClaimTemplates ?? []).length > 0) {
    rejectRecycling(pass);
    return;
  }
  pass.status.phase = 'Recycling';
  pass.drop('Recycling');
}

export function rejectRecycling(pass: Pass): void {
  const why = pass.status.phase === 'Paused' ? 'sandbox is paused' : 'sandbox has persistent volumes';
  pass.set('Recycling', 'False', 'RecyclingRejected', why);
  pass.emit('Warning', 'RecyclingRejected', `Recycling rejected: ${why}`);
}

/** Phase Recycling: checks, waits for a ready Pod and ten seconds, then takes off everything the claim wrote. */
export async function recycling(pass: Pass): Promise<void> {
  const condition = pass.condition('Recycling');
  if (condition === undefined) {
    const problem = obstacle(pass);
    if (problem !== undefined) return await giveUp(pass, 'RecyclingFailed', problem);
    pass.set('Recycling', 'False', 'RecyclingStarted');
    pass.emit('Normal', 'RecyclingStarted', `Recycling started for sandbox ${pass.sandbox.metadata.name}`);
    return;
  }
  const age = Date.now() - Date.parse(condition.lastTransitionTime ?? '');
  if (condition.reason === 'RecyclingStarted') {
    if (pass.podReady) pass.set('Recycling', 'False', 'RecyclingCompleted');
    else if (age > timeoutMs) return await giveUp(pass, 'RecyclingTimeout', 'recycling timed out');
    pass.requeueAfterMs = pollMs;
  } else if (condition.reason === 'RecyclingCompleted') {
    if (age < graceMs) pass.requeueAfterMs = Math.min(pollMs, graceMs - age);
    else await returnToPool(pass);
  }
}

function obstacle(pass: Pass): string | undefined {
  const { metadata } = pass.sandbox;
  const name = metadata.labels?.[label.pool];
  if (name === undefined) return 'sandbox has no pool';
  const set = pass.deps.cluster.sandboxSets.get(`${metadata.namespace}/${name}`);
  if (set === undefined) return `SandboxSet ${name} not found`;
  const hash = metadata.labels?.[label.templateHash] ?? '';
  const current = set.status?.updateRevision;
  if (current !== undefined && current !== hash)
    return `sandbox template-hash "${hash}" does not match SandboxSet ${name} updateRevision "${current}", sandbox is outdated and cannot be recycled`;
  return pass.pod === undefined ? 'pod not found' : undefined;
}

async function giveUp(pass: Pass, reason: string, message: string): Promise<void> {
  pass.set('Recycling', 'False', reason, message);
  pass.emit('Warning', reason, message);
  const retain = durationMs(pass.sandbox.metadata.annotations?.[annotation.cleanupRetain]);
  if (retain !== undefined) await pass.patch({ spec: { shutdownTime: timestamp(Date.now() + retain) } });
  else await pass.deps.cluster.api.remove(objectPath(resources.sandboxes, pass.sandbox));
}

const cleared = [
  annotation.claimTimestamp,
  annotation.lock,
  annotation.owner,
  annotation.initRequest,
  annotation.accessToken,
  annotation.cleanup,
  annotation.cleanupRetain,
  annotation.claimMetadata,
  annotation.priority,
  'e2b.agents.kruise.io/csi-volume-config',
  'e2b.agents.kruise.io/envd-access-token',
  'e2b.agents.kruise.io/envd-url',
  'agents.kruise.io/runtime-url',
  'security.agents.kruise.io/token-status',
];

async function returnToPool(pass: Pass): Promise<void> {
  const { metadata } = pass.sandbox;
  const set = pass.deps.cluster.sandboxSets.get(`${metadata.namespace}/${metadata.labels?.[label.pool]}`);
  if (set === undefined) return await giveUp(pass, 'RecyclingFailed', 'SandboxSet not found');
  const claim = JSON.parse(metadata.annotations?.[annotation.claimMetadata] ?? '{}') as {
    labels?: string[];
    annotations?: string[];
  };
  const nulls = (keys: string[]) => Object.fromEntries(keys.map((key) => [key, null]));
  await pass.patch({
    metadata: {
      labels: {
        ...nulls([label.claimName, 'agents.kruise.io/sandbox-id', ...(claim.labels ?? [])]),
        [label.claimed]: 'false',
      },
      annotations: nulls([...cleared, ...(claim.annotations ?? [])]),
      ownerReferences: [
        {
          apiVersion: 'agents.kruise.io/v1alpha1',
          kind: 'SandboxSet',
          name: set.metadata.name,
          uid: set.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
  });
  const count = (pass.status.recycledCount ?? 0) + 1;
  pass.status.recycledCount = count;
  pass.set('Recycling', 'True', 'RecyclingSucceeded');
  pass.emit('Normal', 'RecyclingSucceeded', `Recycling succeeded, sandbox returned to pool (recycledCount: ${count})`);
  pass.status.phase = 'Running';
  pass.set('Ready', 'True', 'PodReady');
}
