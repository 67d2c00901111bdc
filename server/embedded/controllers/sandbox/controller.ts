import { ApiError, isNotFound } from '../client/api';
import { WriteExpectations } from '../client/expectations';
import { keyOf, sandboxSchema } from '../client/objects';
import { type Outcome, WorkQueue } from '../client/queue';
import { EventRecorder } from '../client/recorder';
import { collectionPath, objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import type { Controller } from '../controller';
import { immutableHash, stableJson } from '../rules/hashes';
import { annotation, label } from '../rules/keys';
import type { SandboxDeps } from './deps';
import { Pass } from './pass';
import { paused, resuming } from './pause';
import { decidePhase, orEmpty, phaseEvent } from './phases';
import { ownerReference } from './pod';
import { recycling } from './recycle';
import { pending, running } from './running';
import { runTimers } from './timers';
import { upgrading } from './upgrade';

const workers = 500;
// Recorded: an operation's write onto a sandbox comes before the sandbox's own next step (paused-sandboxes-with-statefilter 17.010).
const pickUpMs = 25;
// A fast failing hook runs 5 times, 2 more when the update is deleted, 4 more on a retry (recorded: update-retry-identical).
const secondWatchMs = 20;

/** The Sandbox controller (pkg/controller/sandbox at 0b72c83a): one Pod per Sandbox through create, pause, resume, upgrade, end. */
export function sandboxController(cluster: Cluster): Controller {
  const recorder = new EventRecorder(cluster.api, 'sandbox');
  const deps: SandboxDeps = {
    cluster,
    recorder,
    writes: new WriteExpectations(),
    podCreates: new WriteExpectations(false),
  };
  const queue = new WorkQueue('sandbox', workers, (key) => reconcile(deps, key), pickUpMs);
  cluster.sandboxes.onChange((before, after) => {
    const object = after ?? before;
    if (object === undefined) return;
    queue.add(keyOf(object));
    // The controller watches Sandboxes twice, so each change is looked at twice: it shows in the count of failing hooks.
    if (after?.status?.phase === 'Upgrading') setTimeout(() => queue.add(keyOf(object)), secondWatchMs);
  });
  cluster.pods.onChange((before, after) => {
    const pod = after ?? before;
    if (
      pod === undefined ||
      (pod.metadata.labels?.[label.createdBy] === undefined && !cluster.sandboxes.get(keyOf(pod)))
    )
      return;
    if (after === undefined) deps.podCreates.forget(keyOf(pod));
    // The deletion mark alone wakes nobody; what counts is that the Pod is gone.
    if (after?.metadata.deletionTimestamp === undefined) queue.add(keyOf(pod));
  });
  cluster.checkpoints.onChange((before, after) => {
    const checkpoint = after ?? before;
    if (checkpoint?.spec?.sandboxName !== undefined)
      queue.add(`${checkpoint.metadata.namespace}/${checkpoint.spec.sandboxName}`);
  });
  const forget = () => {
    deps.writes.forgetAll();
    deps.podCreates.forgetAll();
  };
  return { queue, recorder, forget };
}

async function reconcile(deps: SandboxDeps, key: string): Promise<Outcome> {
  const { cluster, writes, podCreates } = deps;
  const sandbox = cluster.sandboxes.get(key);
  const pod = cluster.pods.get(key);
  if (sandbox === undefined) {
    writes.forget(key);
    podCreates.forget(key);
    return;
  }
  const { template, templateRef } = sandbox.spec;
  const deleting = sandbox.metadata.deletionTimestamp !== undefined;
  if (template === undefined && templateRef === undefined && !deleting) return;
  if (!writes.seen(key, sandbox) || !podCreates.seen(key, pod)) return { requeueAfterMs: 60_000 };
  const pass = new Pass(deps, sandbox, pod);
  await ensureVolumes(pass);
  if (deleting) {
    await terminate(pass);
    return;
  }
  if (pass.status.phase === 'Failed' || pass.status.phase === 'Succeeded') return;
  if (sandbox.metadata.annotations?.[annotation.immutableHash] === undefined)
    await pass.patch({ metadata: { annotations: { [annotation.immutableHash]: immutableHash(sandbox.spec) } } });
  if (await runTimers(pass)) return outcome(pass);
  await runPhase(pass);
  await writeStatus(pass);
  if (pass.failure !== undefined) throw pass.failure;
  return outcome(pass);
}

const outcome = (pass: Pass): Outcome =>
  pass.requeueAfterMs === undefined ? undefined : { requeueAfterMs: pass.requeueAfterMs };

async function runPhase(pass: Pass): Promise<void> {
  const { status } = pass;
  decidePhase(pass);
  const handler = {
    Pending: pending,
    Running: running,
    Paused: paused,
    Resuming: resuming,
    Upgrading: upgrading,
    Recycling: recycling,
  }[status.phase ?? ''];
  try {
    await handler?.(pass);
  } catch (error) {
    pass.failure = error instanceof Error ? error : new Error(String(error));
  }
}

/** One merge patch of the whole status, so a field that became empty is not cleared; then the event of a changed phase. */
async function writeStatus(pass: Pass): Promise<void> {
  const { sandbox, status, deps } = pass;
  if (stableJson(status) === stableJson(sandbox.status ?? {})) return;
  const before = sandbox.status?.phase ?? '';
  try {
    const answer = await deps.cluster.api.patch(objectPath(resources.sandboxes, sandbox, 'status'), { status });
    deps.writes.wrote(pass.key, sandboxSchema.parse(answer));
  } catch (error) {
    // The event of the phase is told even when the sandbox was deleted in this very pass (recorded: recycle 31.168).
    if (!isNotFound(error)) throw error;
  }
  if (status.phase === before) return;
  const { type, reason, message } = phaseEvent(before, status);
  pass.emit(type, reason, message);
}

/** Somebody's finalizer holds the sandbox: its Pod goes first, then the controller's own finalizer. */
async function terminate(pass: Pass): Promise<void> {
  const { pod, sandbox } = pass;
  if (pod === undefined || !pass.ownsPod) await pass.setFinalizer(false);
  else if (pod.metadata.deletionTimestamp === undefined) {
    await pass.deletePod(pod);
    const phase = orEmpty(sandbox.status?.phase);
    pass.emit('Normal', 'SandboxTerminating', `Sandbox deletion is in progress from phase ${phase}`);
  }
}

/** Every pass, also of a paused sandbox, makes the volume claims that are missing. */
async function ensureVolumes(pass: Pass): Promise<void> {
  const { api } = pass.deps.cluster;
  const { namespace, name } = pass.sandbox.metadata;
  for (const claim of pass.sandbox.spec.volumeClaimTemplates ?? []) {
    try {
      await api.create(collectionPath(resources.persistentvolumeclaims, namespace), {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          ...claim.metadata,
          name: `${claim.metadata.name}-${name}`,
          namespace,
          ownerReferences: [ownerReference(pass.sandbox)],
        },
        spec: claim.spec,
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
  }
}
