import type { SandboxFacts } from '../facts';
import type { UnknownValue } from './verdict';

/** Phases, conditions and reasons of the controller at snapshot 0b72c83a (domain 1.2, 4.2); what else comes is shown as unknown. */

const phases: ReadonlySet<string> = new Set([
  ...['', 'Pending', 'Running', 'Paused', 'Resuming', 'Upgrading', 'Recycling', 'Succeeded', 'Failed', 'Terminating'],
]);

const reasons: Readonly<Record<string, readonly string[]>> = {
  Ready: ['PodReady', 'StartContainerFailed', 'PodCreateFailed', 'InplaceUpdating', 'Upgrading'],
  SandboxPaused: [
    ...['Pending', 'StopPauseSucceed', 'CheckpointCreating', 'ImageChanged', 'CheckpointFailed'],
    ...['CheckpointSucceeded', 'SnapshotPauseSucceed'],
  ],
  SandboxResumed: ['CreatePod', 'ResumePod'],
  RuntimeInitialized: ['Pending', 'Succeeded', 'Failed'],
  InplaceUpdate: ['InplaceUpdating', 'Succeeded', 'Failed'],
  Upgrading: [
    ...['Resuming', 'ResumeSucceed', 'PreUpgrade', 'PreUpgradeFailed', 'Checkpointing', 'CheckpointFailed'],
    ...['UpgradePod', 'UpgradePodFailed', 'PostUpgrade', 'PostUpgradeFailed', 'Succeeded'],
  ],
  Recycling: [
    ...['RecyclingStarted', 'RecyclingCompleted', 'RecyclingFailed', 'RecyclingTimeout', 'RecyclingRejected'],
    'RecyclingSucceeded',
  ],
};

const statuses: ReadonlySet<string> = new Set(['True', 'False']);

export function unknownValues({ phase, conditions }: SandboxFacts): UnknownValue[] {
  const found: UnknownValue[] = [];
  if (!phases.has(phase)) found.push({ path: 'Sandbox status.phase', value: phase });
  for (const [type, condition] of Object.entries(conditions)) {
    if (!condition) continue;
    const path = `Sandbox status.conditions[${type}]`;
    const known = Object.hasOwn(reasons, type) ? reasons[type] : undefined;
    if (!known) {
      found.push({ path, value: `${condition.status} ${condition.reason ?? ''}`.trim() });
      continue;
    }
    if (!statuses.has(condition.status)) found.push({ path: `${path}.status`, value: condition.status });
    if (condition.reason !== undefined && !known.includes(condition.reason)) {
      found.push({ path: `${path}.reason`, value: condition.reason });
    }
  }
  return found;
}
