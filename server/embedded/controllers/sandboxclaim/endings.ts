import { isNotFound } from '../client/api';
import type { WriteExpectations } from '../client/expectations';
import { keyOf, type SandboxClaim, sandboxClaimSchema } from '../client/objects';
import type { Outcome } from '../client/queue';
import type { EventRecorder } from '../client/recorder';
import { objectPath, resources } from '../client/resources';
import { setCondition, timestamp } from '../rules/conditions';
import { stableJson } from '../rules/hashes';
import { durationMs, formatDuration } from '../rules/quantities';
import type { ClaimDeps } from './pick';

const defaultTtlMs = 3_600_000;

export type ClaimStatus = NonNullable<SandboxClaim['status']>;

export interface Deps extends ClaimDeps {
  recorder: EventRecorder;
  /** Sandboxes a claim locked that the local copy does not show as its own yet. */
  unseen: Map<string, Set<string>>;
  /** Own writes to the claims themselves. */
  own: WriteExpectations;
}

export async function complete(deps: Deps, claim: SandboxClaim, base: ClaimStatus): Promise<Outcome> {
  const desired = claim.spec.replicas ?? 1;
  const message = `Successfully claimed ${base.claimedReplicas}/${desired} sandboxes`;
  const conditions = setCondition(
    base.conditions ?? [],
    'Completed',
    'True',
    'AllReplicasClaimed',
    `Successfully claimed all ${desired} sandboxes`,
  );
  await writeStatus(deps, claim, { ...base, phase: 'Completed', message, completionTime: timestamp(), conditions });
  // Only a recount finds more than the claiming pass had written.
  if ((claim.status?.claimedReplicas ?? 0) < desired || claim.status?.message?.startsWith('Completed:') === true) {
    emit(deps, claim, 'Normal', 'ClaimCompleted', message);
    const labels = { namespace: claim.metadata.namespace ?? '', source: 'k8s', result: 'success' };
    deps.cluster.metrics.add('sandboxset_claims_total', labels);
  }
  return;
}

export async function timedOut(
  deps: Deps,
  claim: SandboxClaim,
  base: ClaimStatus,
  elapsedMs: number,
): Promise<Outcome> {
  const progress = `${formatDuration(elapsedMs)}, claimed ${base.claimedReplicas}/${claim.spec.replicas ?? 1}`;
  const message = `Timeout reached after ${progress} sandboxes`;
  let conditions = setCondition(
    base.conditions ?? [],
    'TimedOut',
    'True',
    'ClaimTimeoutReached',
    `Timeout after ${progress}`,
  );
  conditions = setCondition(conditions, 'Completed', 'True', 'TimeoutReached', message);
  await writeStatus(deps, claim, { ...base, phase: 'Completed', message, completionTime: timestamp(), conditions });
  return;
}

/** Also when the pool disappears after success: completionTime moves with every pass, so the claim is never cleaned up. */
export async function poolMissing(deps: Deps, claim: SandboxClaim): Promise<Outcome> {
  const message = `SandboxSet ${claim.spec.templateName} not found`;
  await writeStatus(deps, claim, {
    ...claim.status,
    phase: 'Completed',
    claimedReplicas: claim.status?.claimedReplicas ?? 0,
    message,
    completionTime: timestamp(),
    conditions: setCondition(claim.status?.conditions ?? [], 'Completed', 'True', 'SandboxSetNotFound', message),
  });
  return;
}

export async function afterCompletion(deps: Deps, claim: SandboxClaim): Promise<Outcome> {
  const ttl = durationMs(claim.spec.ttlAfterCompleted) ?? defaultTtlMs;
  if (ttl < 0) return;
  const left = Date.parse(claim.status?.completionTime ?? '') + ttl - Date.now();
  if (left > 0) return { requeueAfterMs: left };
  const labels = { namespace: claim.metadata.namespace ?? '', source: 'k8s' };
  deps.cluster.metrics.add('sandboxclaim_expired_total', labels);
  emit(deps, claim, 'Normal', 'SandboxClaimTTLDelete', `Deleting SandboxClaim after TTL of ${formatDuration(ttl)}`);
  try {
    await deps.cluster.api.remove(objectPath(resources.sandboxclaims, claim), {
      preconditions: { uid: claim.metadata.uid },
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return;
}

export async function writeStatus(deps: Deps, claim: SandboxClaim, status: ClaimStatus): Promise<void> {
  if (stableJson(status) === stableJson(claim.status ?? {})) return;
  try {
    const answer = await deps.cluster.api.patch(objectPath(resources.sandboxclaims, claim, 'status'), { status });
    deps.own.wrote(keyOf(claim), sandboxClaimSchema.parse(answer));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export function emit(
  deps: Deps,
  claim: SandboxClaim,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  deps.recorder.emit(resources.sandboxclaims, claim, type, reason, message);
}
