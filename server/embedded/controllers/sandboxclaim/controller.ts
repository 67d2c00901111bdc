import { randomUUID } from 'node:crypto';
import { isNotFound } from '../client/api';
import { keyOf, type SandboxClaim, type SandboxSet } from '../client/objects';
import { type Outcome, WorkQueue } from '../client/queue';
import { EventRecorder } from '../client/recorder';
import { objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import { setCondition, timestamp } from '../rules/conditions';
import { stableJson } from '../rules/hashes';
import { label } from '../rules/keys';
import { durationMs, formatDuration } from '../rules/quantities';
import { type ClaimDeps, claimOne, PickLock } from './pick';

const workers = 64;
const passLimit = 50;
const firstBatch = 5;
const retryMs = 2000;
const defaultTimeoutMs = 60_000;
const defaultTtlMs = 3_600_000;

type ClaimStatus = NonNullable<SandboxClaim['status']>;

interface Deps extends ClaimDeps {
  recorder: EventRecorder;
  /** Sandboxes a claim locked that the local copy does not show as its own yet. */
  unseen: Map<string, Set<string>>;
}

/** The SandboxClaim controller (pkg/controller/sandboxclaim at 0b72c83a): takes sandboxes out of a pool for somebody. */
export function sandboxClaimController(cluster: Cluster): { queue: WorkQueue; recorder: EventRecorder } {
  const recorder = new EventRecorder(cluster.api, 'sandboxclaim');
  const deps: Deps = { cluster, recorder, lock: new PickLock(), unseen: new Map() };
  const queue = new WorkQueue('sandboxclaim', workers, (key) => reconcile(deps, key));
  cluster.claims.onChange((before, after) => {
    const claim = after ?? before;
    if (claim !== undefined) queue.add(keyOf(claim));
    if (after === undefined && before !== undefined) deps.unseen.delete(before.metadata.uid);
  });
  return { queue, recorder };
}

async function reconcile(deps: Deps, key: string): Promise<Outcome> {
  const { cluster } = deps;
  const claim = cluster.claims.get(key);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
  const set = cluster.sandboxSets.get(`${claim.metadata.namespace}/${claim.spec.templateName}`);
  if (set === undefined) return await poolMissing(deps, claim);
  if (claim.status?.phase === 'Completed') return await afterCompletion(deps, claim);

  const desired = claim.spec.replicas ?? 1;
  const start = claim.status?.claimStartTime ?? timestamp();
  const count = claimedCount(deps, claim);
  const base: ClaimStatus = {
    ...claim.status,
    claimStartTime: start,
    claimedReplicas: count,
    observedGeneration: claim.metadata.generation ?? 0,
  };
  if (count >= desired || (claim.status?.claimedReplicas ?? 0) >= desired)
    return await complete(deps, claim, {
      ...base,
      claimedReplicas: Math.max(count, claim.status?.claimedReplicas ?? 0),
    });
  const elapsed = Date.now() - Date.parse(start);
  const timeout = durationMs(claim.spec.claimTimeout) ?? defaultTimeoutMs;
  if (claim.status?.claimStartTime !== undefined && elapsed >= timeout)
    return await timedOut(deps, claim, base, elapsed);
  return await claimPass(deps, claim, set, base, desired - count, timeout - elapsed);
}

/** Claims what is missing in batches of 5, 10, 20 …, then says how far it got. */
async function claimPass(
  deps: Deps,
  claim: SandboxClaim,
  set: SandboxSet,
  base: ClaimStatus,
  missing: number,
  leftMs: number,
): Promise<Outcome> {
  const desired = claim.spec.replicas ?? 1;
  let claimed = 0;
  let failed = false;
  let size = firstBatch;
  for (let left = Math.min(missing, passLimit); left > 0 && !failed; size *= 2) {
    const batch = Math.min(left, size);
    const lockId = randomUUID();
    const results = await Promise.allSettled(Array.from({ length: batch }, () => claimOne(deps, claim, set, lockId)));
    for (const result of results) {
      if (result.status === 'rejected') failed = true;
      else {
        claimed += 1;
        const uids = deps.unseen.get(claim.metadata.uid) ?? new Set();
        deps.unseen.set(claim.metadata.uid, uids.add(result.value));
      }
    }
    left -= batch;
  }
  const total = claimedCount(deps, claim);
  const progress = `${total}/${desired} claimed`;
  const message = claimed === 0 && total >= desired ? `Completed: ${progress}` : `Claiming sandboxes: ${progress}`;
  await writeStatus(deps, claim, { ...base, phase: 'Claiming', claimedReplicas: total, message });
  if (claimed > 0) {
    emit(deps, claim, 'Normal', 'SandboxClaimed', `Claimed ${claimed} sandbox(es), total: ${total}/${desired}`);
    return { requeueAfterMs: 0 };
  }
  emit(deps, claim, 'Warning', 'NoAvailableSandboxes', `No available sandboxes in pool ${set.metadata.name}`);
  return { requeueAfterMs: Math.max(0, Math.min(retryMs, leftMs)) };
}

/** By the owner annotation in the local copy, plus what was locked a moment ago: it may count one that was just deleted. */
function claimedCount(deps: Deps, claim: SandboxClaim): number {
  const { uid } = claim.metadata;
  const seen = deps.cluster.sandboxes
    .lookup('claim', uid)
    .filter(({ metadata }) => metadata.labels?.[label.reservedFailed] === undefined);
  const unseen = deps.unseen.get(uid);
  for (const sandbox of seen) unseen?.delete(sandbox.metadata.uid);
  return seen.length + (unseen?.size ?? 0);
}

async function complete(deps: Deps, claim: SandboxClaim, base: ClaimStatus): Promise<Outcome> {
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
  if ((claim.status?.claimedReplicas ?? 0) < desired || claim.status?.message?.startsWith('Completed:') === true)
    emit(deps, claim, 'Normal', 'ClaimCompleted', message);
  return;
}

async function timedOut(deps: Deps, claim: SandboxClaim, base: ClaimStatus, elapsedMs: number): Promise<Outcome> {
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
async function poolMissing(deps: Deps, claim: SandboxClaim): Promise<Outcome> {
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

async function afterCompletion(deps: Deps, claim: SandboxClaim): Promise<Outcome> {
  const ttl = durationMs(claim.spec.ttlAfterCompleted) ?? defaultTtlMs;
  if (ttl < 0) return;
  const left = Date.parse(claim.status?.completionTime ?? '') + ttl - Date.now();
  if (left > 0) return { requeueAfterMs: left };
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

async function writeStatus(deps: Deps, claim: SandboxClaim, status: ClaimStatus): Promise<void> {
  if (stableJson(status) === stableJson(claim.status ?? {})) return;
  try {
    await deps.cluster.api.patch(objectPath(resources.sandboxclaims, claim, 'status'), { status });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function emit(deps: Deps, claim: SandboxClaim, type: 'Normal' | 'Warning', reason: string, message: string): void {
  deps.recorder.emit(resources.sandboxclaims, claim, type, reason, message);
}
