import { randomUUID } from 'node:crypto';
import { WriteExpectations } from '../client/expectations';
import { keyOf, type SandboxClaim, type SandboxSet } from '../client/objects';
import { type Outcome, WorkQueue } from '../client/queue';
import { EventRecorder } from '../client/recorder';
import type { Cluster } from '../cluster';
import type { Controller } from '../controller';
import { timestamp } from '../rules/conditions';
import { label } from '../rules/keys';
import { durationMs } from '../rules/quantities';
import { sandboxState } from '../rules/state';
import {
  afterCompletion,
  type ClaimStatus,
  complete,
  type Deps,
  emit,
  poolMissing,
  timedOut,
  writeStatus,
} from './endings';
import { claimOptions } from './options';
import { claimOne, PickLock } from './pick';

const workers = 500;
const passLimit = 50;
const firstBatch = 5;
const retryMs = 2000;
const ownWriteMs = 1000;
const defaultTimeoutMs = 60_000;

/** The SandboxClaim controller (pkg/controller/sandboxclaim at 0b72c83a): takes sandboxes out of a pool for somebody. */
export function sandboxClaimController(cluster: Cluster): Controller {
  const recorder = new EventRecorder(cluster.api, 'sandboxclaim');
  const deps: Deps = {
    cluster,
    recorder,
    lock: new PickLock(),
    unseen: new Map(),
    discarded: new Map(),
    own: new WriteExpectations(),
  };
  const queue = new WorkQueue('sandboxclaim', workers, (key) => reconcile(deps, key));
  cluster.claims.onChange((before, after) => {
    const claim = after ?? before;
    if (claim !== undefined) queue.add(keyOf(claim));
    if (after === undefined && before !== undefined) {
      deps.unseen.delete(before.metadata.uid);
      deps.discarded.delete(before.metadata.uid);
    }
  });
  const forget = () => {
    deps.lock = new PickLock();
    deps.unseen.clear();
    deps.discarded.clear();
    deps.own.forgetAll();
  };
  return { queue, recorder, forget };
}

async function reconcile(deps: Deps, key: string): Promise<Outcome> {
  const { cluster } = deps;
  const claim = cluster.claims.get(key);
  if (claim === undefined) deps.own.forget(key);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
  if (!deps.own.seen(key, claim)) return { requeueAfterMs: ownWriteMs };
  const set = cluster.sandboxSets.get(`${claim.metadata.namespace}/${claim.spec.templateName}`);
  if (set === undefined) return await poolMissing(deps, claim);
  if (claim.status?.phase === 'Completed') return await afterCompletion(deps, claim);

  const desired = claim.spec.replicas ?? 1;
  const start = claim.status?.claimStartTime ?? timestamp();
  // What was claimed once counts, even when it is gone by now.
  const count = Math.max(claimedCount(deps, claim), claim.status?.claimedReplicas ?? 0);
  const base: ClaimStatus = {
    ...claim.status,
    claimStartTime: start,
    claimedReplicas: count,
    observedGeneration: claim.metadata.generation ?? 0,
  };
  if (count >= desired) return await complete(deps, claim, base);
  const elapsed = Date.now() - Date.parse(start);
  const timeout = durationMs(claim.spec.claimTimeout) ?? defaultTimeoutMs;
  if (claim.status?.claimStartTime !== undefined && elapsed >= timeout)
    return await timedOut(deps, claim, base, elapsed);
  return await claimPass(deps, claim, set, base, desired - count);
}

/** Claims what is missing in batches of 5, 10, 20 …, then says how far it got. */
async function claimPass(
  deps: Deps,
  claim: SandboxClaim,
  set: SandboxSet,
  base: ClaimStatus,
  missing: number,
): Promise<Outcome> {
  const desired = claim.spec.replicas ?? 1;
  const discardedBefore = discardedBy(deps, claim);
  let claimed = 0;
  const options = await claimOptions(deps.cluster, claim, set).catch(() => undefined);
  let failed = options === undefined;
  let size = firstBatch;
  for (let left = Math.min(missing, passLimit); left > 0 && options !== undefined && !failed; size *= 2) {
    const batch = Math.min(left, size);
    const lockId = randomUUID();
    const results = await Promise.allSettled(
      Array.from({ length: batch }, () => claimOne(deps, claim, set, options, lockId)),
    );
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
  // Sandboxes whose runtime could not be initialised are deleted. A later pass counts them before its copy shows that, and so a
  // claim succeeds with a sandbox that is gone; the first pass does not (recorded: claim-runtime-init-fails 6.266 and 9.311).
  const gone = claim.status?.claimStartTime === undefined ? 0 : discardedBy(deps, claim) - discardedBefore;
  const total = Math.max(base.claimedReplicas ?? 0, claimedCount(deps, claim) + gone);
  const progress = `${total}/${desired} claimed`;
  const message = claimed === 0 && total >= desired ? `Completed: ${progress}` : `Claiming sandboxes: ${progress}`;
  await writeStatus(deps, claim, { ...base, phase: 'Claiming', claimedReplicas: total, message });
  if (claimed > 0) {
    emit(deps, claim, 'Normal', 'SandboxClaimed', `Claimed ${claimed} sandbox(es), total: ${total}/${desired}`);
    return { requeueAfterMs: 0 };
  }
  const labels = { namespace: claim.metadata.namespace ?? '', source: 'k8s' };
  deps.cluster.metrics.add('sandboxset_claims_total', { ...labels, result: 'failed' });
  emit(deps, claim, 'Warning', 'NoAvailableSandboxes', `No available sandboxes in pool ${set.metadata.name}`);
  // The deadline is noticed at the next try, not when it comes (recorded: claim-timeout-partial 37.887).
  return { requeueAfterMs: retryMs };
}

const discardedBy = (deps: Deps, claim: SandboxClaim): number => deps.discarded.get(claim.metadata.uid)?.size ?? 0;

/** By the owner annotation in the local copy, plus what was locked a moment ago. */
function claimedCount(deps: Deps, claim: SandboxClaim): number {
  const { uid } = claim.metadata;
  const seen = deps.cluster.sandboxes
    .lookup('claim', uid)
    .filter(
      (sandbox) => sandbox.metadata.labels?.[label.reservedFailed] === undefined && sandboxState(sandbox) !== 'dead',
    )
    .filter(({ metadata }) => deps.discarded.get(uid)?.has(metadata.uid) !== true);
  const unseen = deps.unseen.get(uid);
  for (const sandbox of seen) unseen?.delete(sandbox.metadata.uid);
  return seen.length + (unseen?.size ?? 0);
}
