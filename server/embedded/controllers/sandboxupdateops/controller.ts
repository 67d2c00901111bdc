import { WriteExpectations } from '../client/expectations';
import { keyOf, type Sandbox, type SandboxUpdateOps, sandboxUpdateOpsSchema } from '../client/objects';
import { type Outcome, WorkQueue } from '../client/queue';
import { EventRecorder } from '../client/recorder';
import { objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import type { Controller } from '../controller';
import { stableJson } from '../rules/hashes';
import { finalizer, label } from '../rules/keys';
import { resolveIntOrPercent } from '../rules/quantities';
import { classify, hasSucceeded, isTarget, type UpdateClass } from './classify';
import { adopt, letGo, patchAfterResume, release, setFailedLabel } from './writes';

export interface OpsDeps {
  cluster: Cluster;
  recorder: EventRecorder;
  writes: WriteExpectations;
  /** Own writes to the operations themselves. */
  own: WriteExpectations;
}

// Until the copy shows what was just written to another operation.
const ownWriteMs = 10;

type OpsStatus = NonNullable<SandboxUpdateOps['status']>;
const terminal = (phase: string | undefined): boolean => phase === 'Completed' || phase === 'Failed';

/** The SandboxUpdateOps controller (pkg/controller/sandboxupdateops at 0b72c83a): upgrades claimed sandboxes, a few at a time. */
export function sandboxUpdateOpsController(cluster: Cluster): Controller {
  const recorder = new EventRecorder(cluster.api, 'sandboxupdateops');
  const deps: OpsDeps = { cluster, recorder, writes: new WriteExpectations(), own: new WriteExpectations() };
  const queue = new WorkQueue('sandboxupdateops', 1, (key) => reconcile(deps, key));
  cluster.updateOps.onChange((before, after) => {
    const ops = after ?? before;
    if (ops !== undefined) queue.add(keyOf(ops));
  });
  cluster.sandboxes.onChange((before, after) => {
    if (before === undefined) return;
    if (after === undefined) deps.writes.forget(keyOf(before));
    const names = new Set([before, after].map((one) => one?.metadata.labels?.[label.updateOps]));
    for (const name of names) if (name !== undefined) queue.add(`${before.metadata.namespace}/${name}`);
  });
  const forget = () => {
    deps.writes.forgetAll();
    deps.own.forgetAll();
  };
  return { queue, recorder, forget };
}

async function reconcile(deps: OpsDeps, key: string): Promise<Outcome> {
  const { cluster } = deps;
  const cached = cluster.updateOps.get(key);
  if (cached === undefined) {
    deps.own.forget(key);
    return;
  }
  const siblings = cluster.updateOps.lookup('namespace', cached.metadata.namespace ?? '');
  const others = siblings.filter((other) => other !== cached);
  if (!others.every((other) => deps.own.seen(keyOf(other), other))) return { requeueAfterMs: ownWriteMs };
  // The loser of a race says nothing and is not woken again; a finished one cannot even be deleted meanwhile.
  if (others.some((other) => other.status?.phase === 'Updating')) return;
  const sandboxes = cluster.sandboxes.lookup('namespace', cached.metadata.namespace ?? '');
  if (cached.metadata.deletionTimestamp !== undefined) return await cleanUp(deps, cached);
  if (terminal(cached.status?.phase) || !deps.own.seen(key, cached)) return;
  const ops = await withFinalizer(deps, cached);
  const targets = sandboxes.filter((sandbox) => isTarget(ops, sandbox));
  if (!targets.every((sandbox) => deps.writes.seen(keyOf(sandbox), sandbox))) return { requeueAfterMs: 60_000 };

  const isActive = (name: string) => {
    const phase = siblings.find(({ metadata }) => metadata.name === name)?.status?.phase;
    return phase === 'Updating' || phase === 'Pending';
  };
  const classes = new Map<UpdateClass, Sandbox[]>();
  for (const sandbox of targets.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
    const one = classify(ops, sandbox, isActive);
    classes.set(one, [...(classes.get(one) ?? []), sandbox]);
  }
  const of = (one: UpdateClass) => classes.get(one) ?? [];
  const updatingReplicas = of('updating').length + of('resumeSucceeded').length;
  const failedReplicas = of('failed').length;
  const updatedReplicas = of('updated').length;
  const replicas = of('candidate').length + updatingReplicas + failedReplicas + updatedReplicas;
  const counts = { replicas, updatedReplicas, updatingReplicas, failedReplicas };
  const failure = await writeToSandboxes(deps, ops, of, counts);
  const finished = of('candidate').length === 0 && updatedReplicas + failedReplicas === replicas;
  const ended = failedReplicas > 0 ? 'Failed' : 'Completed';
  const phase = ops.status?.phase && finished ? ended : 'Updating';
  await writeStatus(deps, ops, { observedGeneration: ops.metadata.generation ?? 0, phase, ...counts });
  if (failure !== undefined) throw failure;
}

/** Sets the finalizer, and the empty strategy that the controller's defaulting leaves behind, in a write of its own. */
async function withFinalizer(deps: OpsDeps, ops: SandboxUpdateOps): Promise<SandboxUpdateOps> {
  const finalizers = ops.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer.updateOps)) return ops;
  const answer = await deps.cluster.api.patch(objectPath(resources.sandboxupdateops, ops), {
    metadata: { finalizers: [...finalizers, finalizer.updateOps] },
    ...(ops.spec.updateStrategy === undefined ? { spec: { updateStrategy: {} } } : {}),
  });
  return sandboxUpdateOpsSchema.parse(answer);
}

/** Labels, second phases and as many new candidates as the limit leaves room for; failed ones keep their place for ever. */
async function writeToSandboxes(
  deps: OpsDeps,
  ops: SandboxUpdateOps,
  of: (one: UpdateClass) => Sandbox[],
  counts: { replicas: number; updatingReplicas: number; failedReplicas: number },
): Promise<unknown> {
  let failure: unknown;
  const attempt = async (sandbox: Sandbox, text: string, write: Promise<void>) => {
    const { name } = sandbox.metadata;
    try {
      await write;
      deps.recorder.emit(resources.sandboxupdateops, ops, 'Normal', 'SandboxUpgrading', text);
    } catch (error) {
      failure = error;
      const why = error instanceof Error ? error.message : String(error);
      const message = `Failed to patch sandbox ${name}: ${why}`;
      deps.recorder.emit(resources.sandboxupdateops, ops, 'Warning', 'PatchFailed', message);
    }
  };
  // One that cannot be written keeps what it has; the next pass tries again.
  const sync = (write: Promise<void>) => write.catch(() => undefined);
  for (const sandbox of of('updated')) await sync(release(deps, sandbox));
  for (const sandbox of of('failed')) await sync(setFailedLabel(deps, sandbox, true));
  for (const sandbox of [...of('updating'), ...of('resumeSucceeded')]) await sync(setFailedLabel(deps, sandbox, false));
  if (ops.spec.paused === true) return undefined;
  for (const sandbox of of('resumeSucceeded')) {
    const text = `Patching sandbox ${sandbox.metadata.name} after resuming`;
    await attempt(sandbox, text, patchAfterResume(deps, ops, sandbox));
  }
  const resolved = resolveIntOrPercent(ops.spec.updateStrategy?.maxUnavailable, counts.replicas) ?? 1;
  const room = (resolved <= 0 ? 1 : resolved) - counts.updatingReplicas - counts.failedReplicas;
  for (const sandbox of of('candidate').slice(0, Math.max(0, room)))
    await attempt(sandbox, `Upgrading sandbox ${sandbox.metadata.name}`, adopt(deps, ops, sandbox));
  return failure;
}

async function writeStatus(deps: OpsDeps, ops: SandboxUpdateOps, status: OpsStatus): Promise<void> {
  if (stableJson(status) === stableJson(ops.status ?? {})) return;
  const answer = await deps.cluster.api.patch(objectPath(resources.sandboxupdateops, ops, 'status'), { status });
  deps.own.wrote(keyOf(ops), sandboxUpdateOpsSchema.parse(answer));
  const before = ops.status?.phase ?? '';
  if (status.phase === before) return;
  const { replicas, updatedReplicas, updatingReplicas, failedReplicas } = status;
  deps.recorder.emit(
    resources.sandboxupdateops,
    ops,
    status.phase === 'Failed' ? 'Warning' : 'Normal',
    'SandboxUpdateOpsPhaseChanged',
    `SandboxUpdateOps phase changed from ${before || '<empty>'} to ${status.phase}: total=${replicas}, updated=${updatedReplicas}, updating=${updatingReplicas}, failed=${failedReplicas}`,
  );
}

async function cleanUp(deps: OpsDeps, ops: SandboxUpdateOps): Promise<Outcome> {
  const finalizers = ops.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer.updateOps)) return;
  for (const sandbox of deps.cluster.sandboxes.lookup('updateOps', keyOf(ops)))
    await letGo(deps, sandbox, hasSucceeded(sandbox));
  const left = finalizers.filter((one) => one !== finalizer.updateOps);
  await deps.cluster.api.patch(objectPath(resources.sandboxupdateops, ops), {
    metadata: { finalizers: left.length === 0 ? null : left },
  });
}
