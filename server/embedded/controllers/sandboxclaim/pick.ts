import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict, isNotFound } from '../client/api';
import { keyOf, type Sandbox, type SandboxClaim, type SandboxSet, sandboxSchema } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import { findCondition } from '../rules/conditions';
import { annotation, label } from '../rules/keys';
import { durationMs } from '../rules/quantities';
import { sandboxState } from '../rules/state';
import { initializeRuntime } from '../sandbox/runtime';
import { claimPatch, onDemand } from './bodies';
import type { ClaimOptions } from './options';

const candidates = 100;
const initRetryMs = 3000;
const readyPollMs = 50;

/** Members that a claim of this process is taking right now. */
export class PickLock {
  private readonly taken = new Set<string>();
  take = (uid: string): boolean => !this.taken.has(uid) && this.taken.add(uid) !== undefined;
  release = (uid: string): void => void this.taken.delete(uid);
}

export interface ClaimDeps {
  cluster: Cluster;
  lock: PickLock;
  /** Sandboxes that a claim locked and then deleted, by the claim's uid. */
  discarded: Map<string, Set<string>>;
}

/**
 * Gets one sandbox for the claim: an available member of the pool (current revision first), or a new one when the pool is empty
 * and the claim allows it. Resolves to its uid.
 * @throws Error when none can be had; a sandbox whose initialisation failed was deleted, or reserved.
 */
export async function claimOne(
  deps: ClaimDeps,
  claim: SandboxClaim,
  set: SandboxSet,
  options: ClaimOptions,
  lockId: string,
): Promise<string> {
  for (;;) {
    const candidate = pick(deps, set);
    if (candidate === undefined) break;
    try {
      const body = claimPatch(candidate, claim, options, lockId);
      const answer = await deps.cluster.api.patch(objectPath(resources.sandboxes, candidate), body);
      const sandbox = sandboxSchema.parse(answer);
      if (claim.spec.inplaceUpdate !== undefined) await waitUntilReady(deps, claim, sandbox);
      return await finish(deps, claim, sandbox, options);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    } finally {
      deps.lock.release(candidate.metadata.uid);
    }
  }
  if (claim.spec.createOnNoStock === false) throw new Error('no available sandbox');
  const created = sandboxSchema.parse(
    await deps.cluster.api.create(
      collectionPath(resources.sandboxes, claim.metadata.namespace),
      await onDemand(deps.cluster, claim, set, options, lockId),
    ),
  );
  await waitUntilReady(deps, claim, created);
  return await finish(deps, claim, created, options);
}

/** A free member, those of the current revision first; it is locked for this process. */
export function pick({ cluster, lock }: Pick<ClaimDeps, 'cluster' | 'lock'>, set: SandboxSet): Sandbox | undefined {
  const free = cluster.sandboxes
    .lookup('pool', set.metadata.uid)
    .filter(
      (sandbox) =>
        sandboxState(sandbox) === 'available' &&
        sandbox.metadata.annotations?.[annotation.lock] === undefined &&
        (sandbox.status?.podInfo?.podIP ?? '') !== '',
    )
    .slice(0, candidates);
  const start = Math.floor(Math.random() * free.length);
  const rotated = [...free.slice(start), ...free.slice(0, start)];
  const updated = (sandbox: Sandbox) => sandbox.metadata.labels?.[label.templateHash] === set.status?.updateRevision;
  return [...rotated.filter(updated), ...rotated.filter((sandbox) => !updated(sandbox))].find((sandbox) =>
    lock.take(sandbox.metadata.uid),
  );
}

/** @throws Error when it does not become ready in time, or its container cannot start: it was given up then. */
async function waitUntilReady(deps: ClaimDeps, claim: SandboxClaim, locked: Sandbox): Promise<void> {
  const timeoutMs = durationMs(claim.spec.waitReadyTimeout) ?? 30_000;
  const generation = locked.metadata.generation ?? 0;
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(readyPollMs)) {
    const sandbox = deps.cluster.sandboxes.get(keyOf(locked));
    if (sandbox === undefined || sandbox.metadata.uid !== locked.metadata.uid) continue;
    const { observedGeneration = 0, podInfo, conditions } = sandbox.status ?? {};
    if (observedGeneration !== sandbox.metadata.generation || observedGeneration < generation) continue;
    if (findCondition(conditions, 'Ready')?.reason === 'StartContainerFailed') break;
    if (findCondition(conditions, 'InplaceUpdate')?.reason === 'InplaceUpdating') continue;
    if (sandboxState(sandbox) === 'running' && (podInfo?.podIP ?? '') !== '') return;
  }
  await discard(deps, claim, locked);
  throw new Error(`sandbox ${keyOf(locked)} is not ready`);
}

/** Initialises the runtime of a locked sandbox; retries for three seconds. */
async function finish(
  deps: ClaimDeps,
  claim: SandboxClaim,
  sandbox: Sandbox,
  { initRuntime }: ClaimOptions,
): Promise<string> {
  if (!initRuntime) return sandbox.metadata.uid;
  for (const until = Date.now() + initRetryMs; ; await sleep(500)) {
    const problem = await initializeRuntime(sandbox, deps.cluster.switches);
    if (problem === undefined) return sandbox.metadata.uid;
    if (Date.now() < until) continue;
    await discard(deps, claim, sandbox);
    throw new Error(problem);
  }
}

async function discard(deps: ClaimDeps, claim: SandboxClaim, sandbox: Sandbox): Promise<void> {
  const { api } = deps.cluster;
  const path = objectPath(resources.sandboxes, sandbox);
  if (claim.spec.reserveFailedSandbox !== true) {
    const { uid } = claim.metadata;
    deps.discarded.set(uid, (deps.discarded.get(uid) ?? new Set()).add(sandbox.metadata.uid));
    await api.remove(path);
    return;
  }
  await api.patch(path, { metadata: { labels: { [label.reservedFailed]: 'true' } } });
  // The count of the claim must not take it for a success.
  const shown = () => deps.cluster.sandboxes.get(keyOf(sandbox))?.metadata.labels?.[label.reservedFailed] !== undefined;
  for (const until = Date.now() + 1000; Date.now() < until && !shown(); ) await sleep(readyPollMs);
}
