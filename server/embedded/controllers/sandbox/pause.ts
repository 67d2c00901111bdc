import { initImagesConsistent } from '../rules/images';
import type { Pass } from './pass';

const pauseGraceSeconds = 5;

/** Phase Paused (strategy Stop): the finalizer in a write of its own, then the Pod goes; where it ran stays on record. */
export async function paused(pass: Pass): Promise<void> {
  const { pod } = pass;
  if (pass.condition('SandboxPaused')?.status === 'True') return;
  await pass.setFinalizer(true);
  if (pod === undefined) {
    pass.set('SandboxPaused', 'True', 'StopPauseSucceed');
    return;
  }
  pass.set('SandboxPaused', 'False', 'Pending');
  pass.unready();
  if (pod.metadata.deletionTimestamp === undefined) await pass.deletePod(pod, pauseGraceSeconds);
}

/** Phase Resuming: a Pod of the current template, then the gate. While it is closed nothing is said or written. */
export async function resuming(pass: Pass): Promise<void> {
  if (!(await resumedPod(pass))) return;
  await pass.setFinalizer(false);
  markResumed(pass);
  pass.drop('SandboxPaused');
  pass.status.phase = 'Running';
  if (pass.pod !== undefined) pass.syncPodInfo(pass.pod);
}

export function markResumed(pass: Pass): void {
  pass.set('SandboxResumed', 'True', 'ResumePod');
  pass.set('RuntimeInitialized', 'False', 'Pending', 'Waiting for pod ready before initialization');
}

/**
 * Makes the Pod when there is none and tells whether it has passed the gate: not ending, phase Running, and every init container
 * reporting the image of its spec.
 * @throws Error while the old Pod is still ending: the key comes back.
 */
export async function resumedPod(pass: Pass): Promise<boolean> {
  const { pod } = pass;
  if (pod === undefined) {
    await pass.createPod();
    return false;
  }
  if (pod.metadata.deletionTimestamp !== undefined) throw new Error('the old pod is still terminating');
  return pod.status?.phase === 'Running' && initImagesConsistent(pod);
}
