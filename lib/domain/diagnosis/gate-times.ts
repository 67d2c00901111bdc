import type { PodDigest } from '../facts';

/**
 * When, by the Pod's own times, the gates before this one were passed: epoch ms of the cluster's clock, in whole seconds.
 * Undefined where no time of the Pod says it. The Pod is the sandbox's own.
 * @param gate a code of diagnosis/gates
 */
export function reachedAt(gate: string, pod: PodDigest): number | undefined {
  switch (gate) {
    case 'Scheduled':
      return pod.created;
    case 'ContainersStart':
    case 'PodRunning':
      return pod.scheduledAt;
    case 'InitImages':
    case 'PodReady':
    case 'RuntimeInitialised':
      return pod.startedAt;
    default:
      return undefined;
  }
}
