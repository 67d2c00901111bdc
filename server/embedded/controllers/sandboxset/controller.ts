import { isConflict } from '../client/api';
import { SetExpectations } from '../client/expectations';
import { controllerOf, keyOf, type Sandbox, type SandboxSet, sandboxSetSchema } from '../client/objects';
import { type Outcome, WorkQueue } from '../client/queue';
import { EventRecorder } from '../client/recorder';
import { objectPath, resources } from '../client/resources';
import type { Cluster } from '../cluster';
import type { Controller } from '../controller';
import { stableJson } from '../rules/hashes';
import { annotation, label } from '../rules/keys';
import { poolOwner, sandboxState } from '../rules/state';
import { isUpdated, scaleDelta } from './arithmetic';
import { createMember, inBatches, type SetDeps } from './members';
import { currentRevision, type Revision } from './revision';
import { type Living, rollingUpdate, scaleDown } from './shrink';

const workers = 3;
const keptTemplates = 10;
// Members that become ready together are seen together (recorded: 10 to 80 ms from the change to the pool's status).
const pickUpMs = 40;
const longestLabel = 63;

/** The SandboxSet controller (pkg/controller/sandboxset at 0b72c83a): keeps `replicas` unclaimed sandboxes of the current revision. */
export function sandboxSetController(cluster: Cluster): Controller {
  const recorder = new EventRecorder(cluster.api, 'sandboxset-controller');
  const deps: SetDeps = { cluster, recorder, expectations: new SetExpectations() };
  const queue = new WorkQueue('sandboxset', workers, (key) => reconcile(deps, key), pickUpMs);
  cluster.sandboxSets.onChange((before, after) => {
    const set = after ?? before;
    if (set !== undefined) queue.add(keyOf(set));
  });
  cluster.sandboxes.onChange((before, after) => sandboxChanged(deps, queue, before, after));
  cluster.templates.onChange((before, after) => {
    const owner = controllerOf(after ?? before ?? { metadata: { name: '', uid: '', resourceVersion: '' } });
    if (owner?.kind === 'SandboxSet') queue.add(`${(after ?? before)?.metadata.namespace}/${owner.name}`);
  });
  return { queue, recorder, forget: () => deps.expectations.forgetAll() };
}

/** Creates and deletes wake the owner, updates only when the state changes, judged by the owner it had before. */
function sandboxChanged(
  deps: SetDeps,
  queue: WorkQueue,
  before: Sandbox | undefined,
  after: Sandbox | undefined,
): void {
  const sandbox = before ?? after;
  const owner = sandbox === undefined ? undefined : poolOwner(sandbox);
  if (sandbox === undefined || owner === undefined) return;
  const key = `${sandbox.metadata.namespace}/${owner.name}`;
  if (before === undefined) deps.expectations.observedCreate(key, sandbox.metadata.uid);
  else if (after === undefined || after.metadata.deletionTimestamp !== undefined)
    deps.expectations.observedDelete(key, sandbox.metadata.uid);
  if (before === undefined || after === undefined || sandboxState(before) !== sandboxState(after)) queue.add(key);
}

async function reconcile(deps: SetDeps, key: string): Promise<Outcome> {
  const { cluster, expectations } = deps;
  const set = cluster.sandboxSets.get(key);
  if (set === undefined) {
    expectations.forget(key);
    return;
  }
  if (set.metadata.deletionTimestamp !== undefined) return;
  const revision = await currentRevision(cluster, set);
  const members = cluster.sandboxes.lookup('pool', set.metadata.uid);
  const inState = (state: string) => members.filter((sandbox) => sandboxState(sandbox) === state);
  const creating = inState('creating');
  const available = inState('available');
  const pending = expectations.pending(key);
  const replicas = creating.length + available.length + pending.creates;
  const status: NonNullable<SandboxSet['status']> = {
    ...set.status,
    observedGeneration: set.metadata.generation ?? 0,
    replicas,
    availableReplicas: available.length,
    updateRevision: revision.hash,
    currentRevision: revision.templateName,
    // A name that is no label value selects nothing.
    ...(set.metadata.name.length > longestLabel
      ? {}
      : { selector: `${label.claimed}=false,${label.pool}=${set.metadata.name}` }),
  };
  let failure: unknown;
  try {
    await act(deps, set, revision, { creating, available, dead: inState('dead') }, status);
  } catch (error) {
    failure = error;
  }
  await writeStatus(cluster, set, status);
  await markOldTemplates(cluster, set);
  if (failure !== undefined) throw failure;
  // The nearer of the two ends counts, and one that is met counts as now: then nothing wakes the set (openkruise/agents issue 778).
  return pending.creates > 0 && pending.deletes > 0 ? { requeueAfterMs: 60_000 } : undefined;
}

interface Members extends Living {
  dead: Sandbox[];
}

/** Scale, then delete the dead, then roll: the last only when nothing is being scaled. Refreshes the updated counters there. */
async function act(
  deps: SetDeps,
  set: SandboxSet,
  revision: Revision,
  members: Members,
  status: NonNullable<SandboxSet['status']>,
): Promise<void> {
  const { creating, available, dead } = members;
  const { recorder } = deps;
  const pending = deps.expectations.pending(keyOf(set));
  const settled = pending.creates === 0 && pending.deletes === 0;
  const delta = scaleDelta(set, status.replicas ?? 0, available.length);
  const failures: unknown[] = [];
  const attempt = async (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));
  if (delta > 0) {
    const creates = Array.from({ length: delta }, () => revision);
    await attempt(inBatches(creates, (one) => createMember(deps, set, one)));
  }
  if (delta < 0 && settled) await attempt(scaleDown(deps, set, revision, members, -delta));
  for (const sandbox of dead.filter(({ metadata }) => metadata.deletionTimestamp === undefined)) {
    // Nothing waits for it: the dead do not count.
    await attempt(deps.cluster.api.remove(objectPath(resources.sandboxes, sandbox)).then(() => undefined));
    recorder.emit(resources.sandboxes, sandbox, 'Normal', 'FailedSandboxDeleted', `Sandbox ${keyOf(sandbox)} deleted`);
  }
  if (delta === 0 && settled) {
    const updated = (sandbox: Sandbox) => isUpdated(sandbox, revision);
    setCount(status, 'updatedReplicas', [...creating, ...available].filter(updated).length);
    setCount(status, 'updatedAvailableReplicas', available.filter(updated).length);
    await attempt(rollingUpdate(deps, set, revision, members));
  }
  if (failures.length > 0) throw failures[0];
}

/** A counter of 0 is left out, as Go's omitempty does. */
function setCount(
  status: NonNullable<SandboxSet['status']>,
  field: 'updatedReplicas' | 'updatedAvailableReplicas',
  count: number,
): void {
  if (count === 0) delete status[field];
  else status[field] = count;
}

/** The whole status is replaced, because a merge patch could not take a counter away; onto the newest object when it moved on. */
async function writeStatus(cluster: Cluster, set: SandboxSet, status: object): Promise<void> {
  if (stableJson(status) === stableJson(set.status ?? {})) return;
  const write = (current: SandboxSet) =>
    cluster.api.replace(objectPath(resources.sandboxsets, set, 'status'), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxSet',
      ...current,
      status,
    });
  try {
    await write(set);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = sandboxSetSchema.parse(await cluster.api.get(objectPath(resources.sandboxsets, set)));
    if (current.metadata.uid === set.metadata.uid) await write(current);
  }
}

/** Past ten templates the oldest ones are marked; nobody deletes them. */
async function markOldTemplates(cluster: Cluster, set: SandboxSet): Promise<void> {
  const owned = [...cluster.templates.list()]
    .filter((template) => controllerOf(template)?.uid === set.metadata.uid)
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  for (const template of owned.slice(0, Math.max(0, owned.length - keptTemplates)))
    if (template.metadata.annotations?.[annotation.cleanupCandidate] !== 'true')
      await cluster.api.patch(objectPath(resources.sandboxtemplates, template), {
        metadata: { annotations: { [annotation.cleanupCandidate]: 'true' } },
      });
}
