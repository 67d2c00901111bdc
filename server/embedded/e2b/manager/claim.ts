import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict, isNotFound } from '../../controllers/client/api';
import { keyOf, type Sandbox, type SandboxSet, sandboxSchema } from '../../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../../controllers/client/resources';
import { findCondition, timestamp } from '../../controllers/rules/conditions';
import { label } from '../../controllers/rules/keys';
import { sandboxState } from '../../controllers/rules/state';
import { initializeRuntime } from '../../controllers/sandbox/runtime';
import { pick } from '../../controllers/sandboxclaim/pick';
import { currentRevision } from '../../controllers/sandboxset/revision';
import { Refusal } from './answers';
import type { Manager } from './call';
import { changesContainers, coldBody, type Wanted, warmBody } from './claim-bodies';
import type { LockType } from './metrics';

const retryMs = 2_000;
const initTries = 5;
const initPauseMs = 200;

/**
 * One sandbox for the request: a free member of the pool, else a new one unless that is not wanted; then a member is waited for
 * until the time of the claim is over.
 * @throws Refusal 500 when there is none in time, or it could not be used: it was given up then
 */
export async function claimSandbox(manager: Manager, set: SandboxSet, wanted: Wanted, signal: AbortSignal) {
  const since = Date.now();
  const { claimTimeoutMs, createOnNoStock } = wanted.extensions;
  const deadline = since + (claimTimeoutMs ?? Number.POSITIVE_INFINITY);
  const tries = { conflicts: 0, empty: 0 };
  const done = (sandbox: Sandbox, how: LockType) => {
    manager.metrics.claimed(sandbox.metadata.namespace ?? '', how, tries.conflicts, since);
    return sandbox;
  };
  try {
    for (;;) {
      const taken = await takeMember(manager, set, wanted, tries);
      if (taken !== undefined) return done(await finish(manager, taken, wanted, signal), 'update');
      if (createOnNoStock)
        return done(await finish(manager, await make(manager, set, wanted), wanted, signal), 'create');
      tries.empty += 1;
      await sleep(Math.max(0, Math.min(retryMs, deadline - Date.now())), undefined, { signal });
      if (Date.now() >= deadline) throw noStock(wanted, tries.empty);
    }
  } catch (error) {
    manager.metrics.claimFailed();
    throw error;
  }
}

function noStock({ templateID }: Wanted, count: number): Refusal {
  const reason = `no available sandboxes for template ${templateID} (no stock)`;
  const failures = JSON.stringify([{ key: '', reason, count }]);
  return new Refusal(
    500,
    `Internal: context deadline exceeded, last error: ${reason}, pick sandbox failures: ${failures}`,
  );
}

async function takeMember(
  manager: Manager,
  set: SandboxSet,
  wanted: Wanted,
  tries: { conflicts: number },
): Promise<Sandbox | undefined> {
  for (;;) {
    const candidate = pick(manager, set);
    if (candidate === undefined) return undefined;
    try {
      const answer = await manager.cluster.api.patch(
        objectPath(resources.sandboxes, candidate),
        warmBody(candidate, wanted),
      );
      const taken = sandboxSchema.parse(answer);
      await manager.waits.shows(candidate, taken);
      return taken;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      tries.conflicts += 1;
      // The copy is behind: what it shows as free is somebody's already.
      await manager.waits.until(
        keyOf(candidate),
        (now) => now?.metadata.resourceVersion !== candidate.metadata.resourceVersion || undefined,
        { ms: initPauseMs },
      );
    } finally {
      manager.lock.release(candidate.metadata.uid);
    }
  }
}

async function make({ cluster, waits }: Manager, set: SandboxSet, wanted: Wanted): Promise<Sandbox> {
  const body = coldBody(set, await currentRevision(cluster, set), wanted);
  const answer = await cluster.api.create(collectionPath(resources.sandboxes, set.metadata.namespace), body);
  const made = sandboxSchema.parse(answer);
  await waits.until(keyOf(made), (sandbox) => sandbox?.metadata.uid === made.metadata.uid || undefined, {
    ms: retryMs,
  });
  return made;
}

/** Waits until it can be used, and initialises its runtime. */
async function finish(manager: Manager, sandbox: Sandbox, wanted: Wanted, signal: AbortSignal): Promise<Sandbox> {
  try {
    const warm = sandbox.status !== undefined && !changesContainers(wanted);
    const ready = warm ? sandbox : await readySandbox(manager, sandbox, wanted.extensions.waitReadyMs, signal);
    for (let left = initTries; ; left -= 1) {
      const problem = await initializeRuntime(ready, manager.cluster.switches);
      if (problem === undefined) break;
      if (left === 1) throw new Refusal(500, `Internal: failed to init runtime: ${problem}`);
      await sleep(initPauseMs, undefined, { signal });
    }
    manager.runtimes.init(ready);
    return ready;
  } catch (error) {
    await discard(manager, sandbox, wanted.extensions.reserveFailed);
    throw error;
  }
}

async function readySandbox(manager: Manager, sandbox: Sandbox, ms: number | undefined, signal: AbortSignal) {
  const ready = await manager.waits.until(
    keyOf(sandbox),
    (now) => {
      if (now === undefined || now.metadata.uid !== sandbox.metadata.uid)
        return new Refusal(500, 'Internal: sandbox is gone');
      return isReadyToUse(now) ? now : cannotStart(now);
    },
    { ms, signal },
  );
  if (ready instanceof Refusal) throw ready;
  if (ready === undefined) throw new Refusal(500, `Internal: sandbox ${keyOf(sandbox)} is not ready in time`);
  return ready;
}

/** What a claim waits for (pkg/utils at 0b72c83a). */
export function isReadyToUse(sandbox: Sandbox): boolean {
  const { observedGeneration, conditions, podInfo } = sandbox.status ?? {};
  return (
    observedGeneration === sandbox.metadata.generation &&
    findCondition(conditions, 'InplaceUpdate')?.reason !== 'InplaceUpdating' &&
    sandboxState(sandbox) === 'running' &&
    (podInfo?.podIP ?? '') !== ''
  );
}

function cannotStart(sandbox: Sandbox): Refusal | undefined {
  const ready = findCondition(sandbox.status?.conditions, 'Ready');
  if (ready?.reason !== 'StartContainerFailed') return undefined;
  return new Refusal(500, `Internal: sandbox start container failed: ${ready.message ?? ''}`);
}

/** Deletes it, or keeps it for whoever wants to see what was wrong: for ever, or for a while (milliseconds). */
async function discard({ cluster }: Manager, sandbox: Sandbox, reserveMs: number | undefined): Promise<void> {
  const path = objectPath(resources.sandboxes, sandbox);
  try {
    if (reserveMs === undefined) await cluster.api.remove(path, { preconditions: { uid: sandbox.metadata.uid } });
    else
      await cluster.api.patch(path, {
        metadata: { labels: { [label.reservedFailed]: 'true' } },
        spec: { shutdownTime: Number.isFinite(reserveMs) ? timestamp(Date.now() + reserveMs) : null },
      });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
