import { findCondition } from '../rules/conditions';
import { mountsOf, requireVolumes } from './csi';
import { updateInPlace } from './inplace';
import type { Pass } from './pass';
import { initializeRuntime } from './runtime';

/** Phase Pending: makes the Pod and waits for it to run. */
export async function pending(pass: Pass): Promise<void> {
  const { pod, status } = pass;
  if (pod === undefined) return await pass.createPod();
  if (!pass.ownsPod) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? '';
    const text = `pod ${pod.metadata.name} is owned by sandbox uid ${owner}, not the current sandbox uid ${pass.sandbox.metadata.uid}; waiting for GC to delete it`;
    pass.emit('Warning', 'PodOwnerMismatch', text);
    return;
  }
  if (pod.status?.phase !== 'Running') return;
  status.phase = 'Running';
  pass.syncPodInfo(pod);
  readyFromPod(pass);
}

/** Phase Running, nothing else wanted: follows the Pod, finishes an initialisation, updates in place. */
export async function running(pass: Pass): Promise<void> {
  const { pod } = pass;
  if (pod === undefined) return;
  // After a resume nothing else happens until the runtime is initialised.
  if (pass.condition('RuntimeInitialized')?.status === 'False' && !(pass.podReady && (await initialize(pass)))) return;
  if (!pass.replacesPods && (await updateInPlace(pass, pod)) === 'updating') return;
  pass.syncPodInfo(pod);
  readyFromPod(pass);
}

/** Runs `/init` and says so. False: it failed, Ready stays as it is and the key comes back. */
export async function initialize(pass: Pass): Promise<boolean> {
  const problem = (await initializeRuntime(pass.sandbox, pass.deps.cluster.switches)) ?? (await mountAgain(pass));
  if (problem === undefined) {
    pass.set('RuntimeInitialized', 'True', 'Succeeded', 'Runtime initialization completed');
    pass.emit('Normal', 'RuntimeInitialized', 'Initialization completed successfully');
    return true;
  }
  pass.set('RuntimeInitialized', 'False', 'Failed', `Runtime initialization failed: ${problem}`);
  pass.emit('Warning', 'RuntimeInitialized', `Failed to perform initialization: ${problem}`);
  pass.failure = new Error(problem);
  return false;
}

/** A new Pod has none of the volumes that a claim had mounted. Resolves to the failure's message. */
async function mountAgain({ sandbox, deps }: Pass): Promise<string | undefined> {
  try {
    await requireVolumes(deps.cluster.api, mountsOf(sandbox));
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `failed to generate csi mount options config for sandbox, err: ${why}`;
  }
}

/**
 * Ready turns with the Pod's; while both are False the reason stays what it was. A main container that waits while the Pod runs
 * is a failed start, which sticks until Ready.
 */
function readyFromPod(pass: Pass): void {
  const ofPod = findCondition(pass.pod?.status?.conditions, 'Ready');
  const before = pass.condition('Ready');
  const { reason, message } = before ?? {};
  if (pass.podReady) {
    if (before?.status !== 'True') pass.set('Ready', 'True', 'PodReady', '', ofPod?.lastTransitionTime ?? undefined);
    return;
  }
  const waiting = pass.pod?.status?.containerStatuses?.findLast(({ state }) => state?.waiting !== undefined);
  if (waiting !== undefined) pass.set('Ready', 'False', 'StartContainerFailed', waiting.state?.waiting?.message);
  else if (before?.status === 'False') pass.set('Ready', 'False', reason ?? 'PodReady', message);
  else pass.set('Ready', 'False', 'PodReady', '', ofPod?.lastTransitionTime ?? undefined);
}
