import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict, isNotFound } from '../client/api';
import { keyOf, type Sandbox, type SandboxClaim, type SandboxSet, sandboxSchema } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import { timestamp } from '../rules/conditions';
import { annotation, label } from '../rules/keys';
import { durationMs } from '../rules/quantities';
import { sandboxState } from '../rules/state';
import { initializeRuntime } from '../sandbox/runtime';
import { memberOf } from '../sandboxset/members';
import { currentRevision } from '../sandboxset/revision';

const reservedAnnotation = /^(e2b\.)?agents\.kruise\.io\//;
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
export async function claimOne(deps: ClaimDeps, claim: SandboxClaim, set: SandboxSet, lockId: string): Promise<string> {
  for (;;) {
    const candidate = pick(deps, set);
    if (candidate === undefined) break;
    try {
      const body = claimPatch(candidate, claim, lockId);
      const answer = await deps.cluster.api.patch(objectPath(resources.sandboxes, candidate), body);
      return await finish(deps, claim, sandboxSchema.parse(answer));
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
      await onDemand(deps, claim, set, lockId),
    ),
  );
  if (!(await becomesReady(deps, created, durationMs(claim.spec.waitReadyTimeout) ?? 30_000))) {
    await discard(deps, claim, created);
    throw new Error('the created sandbox was not ready in time');
  }
  return await finish(deps, claim, created);
}

function pick({ cluster, lock }: ClaimDeps, set: SandboxSet): Sandbox | undefined {
  const free = cluster.sandboxes
    .lookup('pool', set.metadata.uid)
    .filter(
      (sandbox) =>
        sandboxState(sandbox) === 'available' &&
        sandbox.metadata.annotations?.[annotation.lock] === undefined &&
        (sandbox.status?.podInfo?.podIP ?? '') !== '',
    );
  const start = Math.floor(Math.random() * free.length);
  const rotated = [...free.slice(start), ...free.slice(0, start)];
  const updated = (sandbox: Sandbox) => sandbox.metadata.labels?.[label.templateHash] === set.status?.updateRevision;
  return [...rotated.filter(updated), ...rotated.filter((sandbox) => !updated(sandbox))].find((sandbox) =>
    lock.take(sandbox.metadata.uid),
  );
}

/** What every claimed sandbox carries: who took it and when, and the request its runtime was initialised with. */
function claimAnnotations(claim: SandboxClaim, lockId: string): Record<string, string> {
  const { envVars, annotations = {}, labels = {}, skipInitRuntime } = claim.spec;
  const token = randomUUID();
  const metadata = {
    ...(Object.keys(labels).length === 0 ? {} : { labels: Object.keys(labels) }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations: Object.keys(annotations) }),
  };
  return {
    ...annotations,
    [annotation.claimTimestamp]: timestamp(),
    [annotation.lock]: lockId,
    [annotation.owner]: claim.metadata.uid,
    ...(skipInitRuntime === true
      ? {}
      : {
          [annotation.initRequest]: JSON.stringify({
            ...(envVars === undefined ? {} : { envVars }),
            accessToken: token,
          }),
          [annotation.accessToken]: token,
        }),
    ...(Object.keys(metadata).length === 0 ? {} : { [annotation.claimMetadata]: JSON.stringify(metadata) }),
  };
}

/** Nothing where there are none: an empty map would stay in the template. */
function templateAnnotations(claim: SandboxClaim): { annotations?: Record<string, string> } {
  const own = Object.entries(claim.spec.annotations ?? {}).filter(([key]) => !reservedAnnotation.test(key));
  return own.length === 0 ? {} : { annotations: Object.fromEntries(own) };
}

function claimPatch(sandbox: Sandbox, claim: SandboxClaim, lockId: string): unknown {
  const { labels, shutdownTime } = claim.spec;
  const owner = { [label.owner]: claim.metadata.uid };
  return {
    metadata: {
      resourceVersion: sandbox.metadata.resourceVersion,
      ownerReferences: null,
      labels: { ...labels, [label.claimed]: 'true', [label.claimName]: claim.metadata.name },
      annotations: claimAnnotations(claim, lockId),
    },
    spec: {
      ...(shutdownTime === undefined ? {} : { shutdownTime }),
      ...(sandbox.spec.template === undefined
        ? {}
        : { template: { metadata: { labels: { ...labels, ...owner }, ...templateAnnotations(claim) } } }),
    },
  };
}

/** A sandbox made for the claim: like a pool member, but born claimed, without the pool's hash, and started with priority. */
async function onDemand(deps: ClaimDeps, claim: SandboxClaim, set: SandboxSet, lockId: string): Promise<unknown> {
  const revision = await currentRevision(deps.cluster, set);
  const member = sandboxSchema.omit({ metadata: true }).parse(memberOf(set, revision));
  const { template } = revision;
  const labels = {
    ...template.metadata?.labels,
    ...claim.spec.labels,
    [label.pool]: set.metadata.name,
    [label.template]: set.spec.templateRef?.name ?? set.metadata.name,
    [label.claimed]: 'true',
    [label.claimName]: claim.metadata.name,
    [label.owner]: claim.metadata.uid,
  };
  const annotations = {
    ...template.metadata?.annotations,
    ...claimAnnotations(claim, lockId),
    [annotation.priority]: '100',
  };
  const { shutdownTime } = claim.spec;
  return {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { generateName: `${set.metadata.name}-`, namespace: claim.metadata.namespace, labels, annotations },
    spec: {
      ...member.spec,
      ...(set.spec.template === undefined ? {} : { template: { ...template, metadata: { labels, annotations } } }),
      ...(shutdownTime === undefined ? {} : { shutdownTime }),
    },
  };
}

async function becomesReady(deps: ClaimDeps, created: Sandbox, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(readyPollMs)) {
    const sandbox = deps.cluster.sandboxes.get(keyOf(created));
    if (sandbox === undefined || sandbox.metadata.uid !== created.metadata.uid) continue;
    const observed = sandbox.status?.observedGeneration === sandbox.metadata.generation;
    if (observed && sandboxState(sandbox) === 'running' && (sandbox.status?.podInfo?.podIP ?? '') !== '') return true;
  }
  return false;
}

/** Initialises the runtime of a locked sandbox; retries for three seconds. */
async function finish(deps: ClaimDeps, claim: SandboxClaim, sandbox: Sandbox): Promise<string> {
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
