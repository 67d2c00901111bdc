import { findCondition } from '../rules/conditions';
import { updateInPlace } from './inplace';
import type { Pass } from './pass';
import { initializeRuntime } from './runtime';

/** Phase Pending: makes the Pod and waits for it to run. */
export async function pending(pass: Pass): Promise<void> {
  const { pod, status } = pass;
  if (pod === undefined) {
    try {
      await pass.createPod();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof Error && 'code' in error) {
        pass.set('Ready', 'False', 'PodCreateFailed', message);
        pass.emit('Warning', 'PodCreateFailed', `Failed to create pod: ${message}`);
      }
      pass.failure = new Error(message);
    }
    return;
  }
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
  pass.syncPodInfo(pod);
  const updating = pass.sandbox.spec.upgradePolicy === undefined && (await updateInPlace(pass, pod)) === 'updating';
  if (updating) {
    pass.set('Ready', 'False', 'InplaceUpdating', 'inplace update is incompleted');
    return;
  }
  if (pass.podReady && pass.condition('RuntimeInitialized')?.status === 'False' && !(await initialize(pass))) return;
  readyFromPod(pass);
}

/** Runs `/init` and says so. False: it failed, Ready stays as it is and the key comes back. */
export async function initialize(pass: Pass): Promise<boolean> {
  const problem = await initializeRuntime(pass.sandbox, pass.deps.cluster.switches);
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

/** Ready as the Pod's; a main container that waits while the Pod runs is a failed start, which sticks until Ready. */
function readyFromPod(pass: Pass): void {
  const { pod } = pass;
  if (pass.podReady) {
    const at = findCondition(pod?.status?.conditions, 'Ready')?.lastTransitionTime;
    pass.set('Ready', 'True', 'PodReady', '', at ?? undefined);
    return;
  }
  const waiting = pod?.status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting;
  if (pod?.status?.phase === 'Running' && waiting !== undefined) {
    pass.set('Ready', 'False', 'StartContainerFailed', waiting.message);
  } else if (pass.condition('Ready')?.reason !== 'StartContainerFailed') {
    pass.set('Ready', 'False', 'PodReady');
  }
}
