import { objectPath, resources } from '../client/resources';
import { timestamp } from '../rules/conditions';
import { annotation, label } from '../rules/keys';
import { durationMs } from '../rules/quantities';
import type { Pass } from './pass';

const timeoutMs = 60_000;
const graceMs = 10_000;
const pollMs = 5000;

/** The manager asked for it, and the pool allows it. */
export function wantsRecycling(pass: Pass): boolean {
  const annotations = pass.sandbox.metadata.annotations ?? {};
  return annotations[annotation.cleanup] === 'true' && annotations[annotation.cleanupEnabled] === 'true';
}

/** False when it is refused: the sandbox goes on as it was. */
export function beginRecycling(pass: Pass): boolean {
  const { volumeClaimTemplates = [], template } = pass.sandbox.spec;
  const claims = template?.spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
  if (volumeClaimTemplates.length > 0 || claims === true) {
    rejectRecycling(pass, 'recycle is not supported for sandboxes with persistent volume claims');
    return false;
  }
  pass.status.phase = 'Recycling';
  pass.drop('Recycling');
  return true;
}

/** Told once for each reason. */
export function rejectRecycling(pass: Pass, why: string): void {
  const { reason, message } = pass.condition('Recycling') ?? {};
  if (reason === 'RecyclingRejected' && message === why) return;
  pass.set('Recycling', 'False', 'RecyclingRejected', why);
  pass.emit('Warning', 'RecyclingRejected', why);
}

/** Phase Recycling: checks each time, waits for a ready Pod and ten seconds, then takes off everything the claim wrote. */
export async function recycling(pass: Pass): Promise<void> {
  const condition = pass.condition('Recycling');
  if (condition?.reason === 'RecyclingFailed' || condition?.reason === 'RecyclingTimeout') return;
  const problem = obstacle(pass);
  if (problem !== undefined) return await giveUp(pass, 'RecyclingFailed', problem);
  if (condition === undefined) {
    pass.set('Recycling', 'False', 'RecyclingStarted');
    pass.emit('Normal', 'RecyclingStarted', `Recycling started for sandbox ${pass.sandbox.metadata.name}`);
    // The installation names no directory where the csi sidecar would be told to let go of its volumes.
    if (pass.sandbox.metadata.annotations?.[annotation.csiVolumes])
      await giveUp(pass, 'RecyclingFailed', 'sandbox carries CSI mounts but csi-reset-signal-dir is not configured');
    return;
  }
  const age = Date.now() - Date.parse(condition.lastTransitionTime ?? '');
  if (condition.reason === 'RecyclingStarted') {
    if (age > timeoutMs) return await giveUp(pass, 'RecyclingTimeout', 'recycle timed out after 1m0s');
    if (!pass.podReady) {
      pass.requeueAfterMs = Math.min(pollMs, timeoutMs - age + 1);
      return;
    }
    pass.set('Recycling', 'False', 'RecyclingCompleted');
    // The grace period begins here, unlike what else a reason would move.
    const completed = pass.condition('Recycling');
    if (completed !== undefined) completed.lastTransitionTime = timestamp();
    pass.requeueAfterMs = graceMs;
  } else if (condition.reason === 'RecyclingCompleted') {
    if (age < graceMs) pass.requeueAfterMs = graceMs - age;
    else await returnToPool(pass);
  }
}

function obstacle(pass: Pass): string | undefined {
  const { metadata } = pass.sandbox;
  const name = metadata.labels?.[label.pool];
  if (name === undefined) return `sandbox ${metadata.name} has no sandbox-pool label`;
  const set = pass.deps.cluster.sandboxSets.get(`${metadata.namespace}/${name}`);
  if (set === undefined) return `SandboxSet ${name} not found`;
  const hash = metadata.labels?.[label.templateHash] ?? '';
  const current = set.status?.updateRevision;
  if (current !== undefined && current !== hash)
    return `sandbox template-hash "${hash}" does not match SandboxSet ${name} updateRevision "${current}", sandbox is outdated and cannot be recycled`;
  if (pass.pod === undefined) return 'pod not found during recycle';
  const phase = pass.pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' ? `pod entered terminal phase ${phase} during recycle` : undefined;
}

async function giveUp(pass: Pass, reason: string, message: string): Promise<void> {
  pass.set('Recycling', 'False', reason, message);
  pass.emit('Warning', reason, message);
  const retain = durationMs(pass.sandbox.metadata.annotations?.[annotation.cleanupRetain]);
  if (retain !== undefined && retain > 0) await pass.patch({ spec: { shutdownTime: timestamp(Date.now() + retain) } });
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
  annotation.csiVolumes,
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
    spec: { shutdownTime: null, pauseTime: null },
  });
  const count = (pass.status.recycledCount ?? 0) + 1;
  pass.status.recycledCount = count;
  pass.set('Recycling', 'True', 'RecyclingSucceeded');
  pass.emit('Normal', 'RecyclingSucceeded', `Recycling succeeded, sandbox returned to pool (recycledCount: ${count})`);
  pass.status.phase = 'Running';
  pass.set('Ready', 'True', 'PodReady');
}
