import type { Cause, CauseCode, DisplayState } from '@/lib/contracts/rows';
import { conditionOf, isTrue, type PodDigest, type SandboxFacts } from './facts';
import { compareImages } from './images';
import { displayStateOf } from './sandbox-state';
import { evidence } from './text';

/**
 * The first gate that is not passed, in the controller's own order (design/interface.md section 5; domain 4.3-4.7),
 * or undefined when nothing holds the sandbox up. Facts only: whether it is late is decided elsewhere, with a clock.
 */
export function causeOf(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  switch (displayStateOf(facts)) {
    case 'Creating':
      return facts.phase === '' ? cause('ControllerLag') : (creationGates(facts, pod) ?? cause('ControllerLag'));
    case 'Available':
      return facts.locked ? cause('Locked') : terminatingPod(pod);
    case 'Running':
      return terminatingPod(pod);
    case 'NotReady':
      return notReady(facts, pod);
    case 'Initialising':
      return initialising(facts, pod);
    case 'Pausing':
      return pausing(facts, pod);
    case 'Resuming':
      return resumeGates(facts, pod) ?? cause('ControllerLag');
    case 'Upgrading':
      return upgrading(facts, pod);
    case 'Recycling':
      return recycling(facts, pod);
    case 'Failed':
      return /pod not found/i.test(facts.message ?? '') ? cause('PodNotFound', facts.message) : undefined;
    case 'Terminating':
      return terminating(facts, pod);
    case 'Paused':
      return facts.paused ? undefined : lag(facts);
    case 'Succeeded':
    case 'Other':
      return undefined;
  }
}

function cause(code: CauseCode, detail?: string): Cause {
  const shown = evidence(detail);
  return shown === undefined ? { code } : { code, detail: shown };
}

function lag(facts: SandboxFacts): Cause | undefined {
  return (facts.generation ?? 0) > (facts.observed ?? 0) ? cause('ControllerLag') : undefined;
}

/** Gates 2-6: the old Pod is gone, the new one exists, is scheduled, has its images and runs. */
function creationGates(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  if (!pod) {
    const ready = conditionOf(facts, 'Ready');
    return ready?.reason === 'PodCreateFailed' ? cause('PodCreateFailed', ready.message) : cause('PodMissing');
  }
  const old = terminatingPod(pod);
  if (old) return old;
  // A Pod of an earlier sandbox of the same name waits for the garbage collector.
  if (pod.ownerUid !== undefined && pod.ownerUid !== facts.uid) return cause('OldPodTerminating', pod.node);
  return podGates(pod);
}

function podGates(pod: PodDigest): Cause | undefined {
  if (pod.scheduled === false) return cause('Unschedulable', pod.unschedulable);
  return waitingCause(pod) ?? (pod.phase === 'Running' ? undefined : cause('ContainersStarting'));
}

const imageReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
const startReasons = new Set(['ContainerCreating', 'PodInitializing']);

/** Undefined for a Pod whose containers are on their normal way. */
function waitingCause(pod: PodDigest): Cause | undefined {
  const { waiting } = pod;
  if (!waiting || startReasons.has(waiting.reason)) return undefined;
  const detail = `${waiting.container}: ${waiting.reason}${waiting.message ? ` - ${waiting.message}` : ''}`;
  if (imageReasons.has(waiting.reason)) return cause('ImagePull', detail);
  return cause(waiting.reason === 'CrashLoopBackOff' ? 'CrashLoop' : 'StartContainerFailed', detail);
}

function terminatingPod(pod: PodDigest | undefined): Cause | undefined {
  if (pod?.deleting === undefined) return undefined;
  const held = pod.finalizers?.length ? ` · ${pod.finalizers.join(', ')}` : '';
  return cause('OldPodTerminating', `${pod.node ?? pod.name}${held}`);
}

/** The gate Resuming -> Running, also of stage Resuming of an upgrade (domain 4.5). */
function resumeGates(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  const held = creationGates(facts, pod);
  if (held || !pod?.initImages) return held;
  for (const { container, spec, status } of pod.initImages) {
    if (!status) return cause('ContainersStarting', container);
    const comparison = compareImages(spec, status);
    if (comparison.equal) continue;
    const found = cause('InitImageMismatch', `${container}: ${shortDigest(spec)} ≠ ${shortDigest(status)}`);
    return comparison.never ? { ...found, never: true } : found;
  }
  return undefined;
}

/** Both names have to fit into the evidence; the whole ones are read from the Pod. */
function shortDigest(image: string): string {
  return image.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1…');
}

function notReady(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  if (pod) {
    return (
      terminatingPod(pod) ??
      podGates(pod) ??
      // A crashed container is between two restarts: the sandbox keeps the reason until it is Ready (domain 4.2).
      startFailure(facts) ??
      cause(pod.ready ? 'ControllerLag' : 'ContainersStarting')
    );
  }
  return startFailure(facts) ?? cause('PodMissing');
}

/** Recorded with CrashLoopBackOff only (T31). */
function startFailure(facts: SandboxFacts): Cause | undefined {
  const ready = conditionOf(facts, 'Ready');
  if (ready?.reason !== 'StartContainerFailed') return undefined;
  return cause(
    /back-off .*restarting/i.test(ready.message ?? '') ? 'CrashLoop' : 'StartContainerFailed',
    ready.message,
  );
}

function initialising(facts: SandboxFacts, pod: PodDigest | undefined): Cause {
  const held = pod && (terminatingPod(pod) ?? podGates(pod));
  if (held) return held;
  const init = conditionOf(facts, 'RuntimeInitialized');
  return init?.reason === 'Failed' ? cause('RuntimeInitFailed', init.message) : cause('RuntimeInitPending');
}

function pausing(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  if (facts.phase !== 'Paused') return lag(facts);
  const paused = conditionOf(facts, 'SandboxPaused');
  if (paused?.reason === 'CheckpointFailed') return cause('CheckpointFailed', paused.message);
  if (paused?.reason === 'CheckpointCreating') return cause('CheckpointPending', paused.message);
  return pod ? (terminatingPod(pod) ?? cause('ControllerLag')) : cause('ControllerLag');
}

function upgrading(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  const stage = conditionOf(facts, 'Upgrading');
  switch (stage?.reason) {
    case 'Resuming':
      return resumeGates(facts, pod) ?? cause(pod?.ready ? 'ControllerLag' : 'ContainersStarting');
    case 'ResumeSucceed':
      return cause('WaitingForPatch');
    case 'PreUpgradeFailed':
    case 'PostUpgradeFailed':
      return cause('HookFailed', stage.message);
    case 'Checkpointing':
      return cause('CheckpointPending', stage.message);
    case 'CheckpointFailed':
      return cause('CheckpointFailed', stage.message);
    case 'UpgradePodFailed':
      return cause('UpgradePodFailed', stage.message);
    case 'UpgradePod':
      // Unschedulable Pods and init containers that fail are never reported by the controller (T9).
      return creationGates(facts, pod) ?? cause(pod?.ready ? 'ControllerLag' : 'ContainersStarting');
    default:
      return undefined;
  }
}

const recycleFailures = new Set(['RecyclingFailed', 'RecyclingTimeout', 'RecyclingRejected']);

function recycling(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  const condition = conditionOf(facts, 'Recycling');
  if (condition?.reason && recycleFailures.has(condition.reason)) {
    return cause('RecycleFailed', condition.message || condition.reason);
  }
  return terminatingPod(pod);
}

function terminating(facts: SandboxFacts, pod: PodDigest | undefined): Cause | undefined {
  const old = terminatingPod(pod);
  if (old) return old;
  return facts.finalizers.length > 0 ? cause('FinalizerHeld', facts.finalizers.join(', ')) : undefined;
}

/**
 * What the cluster says where the cause has no words of its own: the end of a sandbox, a pause that stalls,
 * the condition that drives a phase. A PodCreateFailed that is over stays in Ready until the next flip, so a
 * sandbox in creation has no message.
 */
export function messageOf(facts: SandboxFacts, found: Cause | undefined): string | undefined {
  if (found?.detail !== undefined) return undefined;
  const state = displayStateOf(facts);
  if (state === 'Failed' || state === 'Succeeded') return evidence(facts.message);
  const type = drivingCondition[state];
  const condition = type === undefined ? undefined : conditionOf(facts, type);
  return condition && !isTrue(condition) ? evidence(condition.message) : undefined;
}

const drivingCondition: Partial<Record<DisplayState, string>> = {
  NotReady: 'Ready',
  Initialising: 'RuntimeInitialized',
  Pausing: 'SandboxPaused',
  Resuming: 'SandboxResumed',
  Upgrading: 'Upgrading',
  Recycling: 'Recycling',
};
