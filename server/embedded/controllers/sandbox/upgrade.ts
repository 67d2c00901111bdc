import type { Hook, Pod } from '../client/objects';
import { annotation, label } from '../rules/keys';
import { checkpointed, deleteCheckpoints, requireCheckpointId } from './checkpoints';
import type { Pass } from './pass';
import { markResumed, resumedPod } from './pause';
import { initialize } from './running';
import { runHook } from './runtime';

/** Enters phase Upgrading; a paused sandbox is resumed first. */
export function beginUpgrade(pass: Pass, fromPaused: boolean): void {
  pass.status.phase = 'Upgrading';
  pass.drop('Upgrading');
  if (!fromPaused) pass.drop('SandboxPaused');
  pass.set('Upgrading', 'False', fromPaused ? 'Resuming' : 'PreUpgrade');
}

/** The template changed again during an upgrade: from which step it goes on (SandboxUpgradeResumeFromFailedStep). */
export function restartUpgrade(pass: Pass): void {
  const reason = pass.condition('Upgrading')?.reason;
  const next = {
    Resuming: 'Resuming',
    UpgradePodFailed: 'UpgradePod',
    PostUpgradeFailed: podRevision(pass.pod) === pass.revision ? 'PostUpgrade' : 'UpgradePod',
  }[reason ?? ''];
  pass.set('Upgrading', 'False', next ?? 'PreUpgrade');
}

/** Phase Upgrading: the steps fall through, so only where it waits or fails is ever written. */
export async function upgrading(pass: Pass): Promise<void> {
  pass.set('Ready', 'False', 'Upgrading', 'sandbox is upgrading');
  const reason = () => pass.condition('Upgrading')?.reason ?? '';
  if (reason() === 'Resuming') return await resume(pass);
  if (reason() === 'ResumeSucceed') {
    // Without its trigger the operation has let go of the sandbox: it falls back to Running.
    if (pass.sandbox.metadata.annotations?.[annotation.resumeTrigger] !== 'true') {
      pass.drop('Upgrading');
      pass.status.phase = 'Running';
    }
    return;
  }
  const { lifecycle, upgradePolicy } = pass.sandbox.spec;
  if (reason().startsWith('PreUpgrade')) {
    if (!(await hookPasses(pass, 'PreUpgrade', lifecycle?.preUpgrade))) return;
    pass.set('Upgrading', 'False', upgradePolicy?.type === 'CheckpointRestore' ? 'Checkpointing' : 'UpgradePod');
  }
  if (reason().startsWith('Checkpoint')) {
    // Another operation may have gone back to Recreate, which waits for none (EnsureCheckpointForUpgrade).
    if (upgradePolicy?.type === 'CheckpointRestore' && !(await checkpointed(pass))) return;
    pass.set('Upgrading', 'False', 'UpgradePod');
  }
  if (reason().startsWith('UpgradePod')) {
    if (!(await podReplaced(pass))) return;
    pass.set('Upgrading', 'False', 'PostUpgrade');
  }
  if (!(await hookPasses(pass, 'PostUpgrade', lifecycle?.postUpgrade))) return;
  pass.set('Upgrading', 'True', 'Succeeded');
  if (upgradePolicy?.type === 'CheckpointRestore') await deleteCheckpoints(pass);
  pass.emit('Normal', 'UpgradeSucceeded', 'Upgrade completed successfully');
  pass.status.phase = 'Running';
  pass.set('Ready', 'True', 'PodReady');
}

async function resume(pass: Pass): Promise<void> {
  // Told once, and again when the template changed meanwhile.
  if (!pass.condition('Upgrading')?.message) {
    pass.emit('Normal', 'UpgradeResuming', 'Resuming paused sandbox for upgrade');
    pass.set('Upgrading', 'False', 'Resuming', 'Resume triggered, waiting for pod readiness');
  }
  if (!(await resumedPod(pass)) || pass.pod === undefined) return;
  markResumed(pass);
  if (!pass.podReady) return;
  if (isHook(pass.sandbox.spec.lifecycle?.preUpgrade) && !(await initialize(pass))) return;
  pass.drop('SandboxPaused');
  pass.syncPodInfo(pass.pod);
  pass.set('Upgrading', 'False', 'ResumeSucceed');
  pass.emit('Normal', 'UpgradeResumed', 'Sandbox resumed, waiting for template patch');
}

const isHook = (hook: Hook | undefined): hook is Hook => (hook?.exec?.command ?? []).length > 0;

/** Runs a hook when there is one. False: it failed, and every later pass runs it again. */
async function hookPasses(pass: Pass, step: 'PreUpgrade' | 'PostUpgrade', hook: Hook | undefined): Promise<boolean> {
  if (!isHook(hook)) return true;
  const problem =
    pass.pod === undefined
      ? 'pod not found, cannot execute hook'
      : await runHook(pass.sandbox, hook, pass.deps.cluster.switches);
  if (problem === undefined) return true;
  pass.set('Upgrading', 'False', `${step}Failed`, problem);
  pass.emit('Warning', `${step}Failed`, `${step} failed: ${problem}`);
  return false;
}

/** Deletes the Pod of the old template, makes one of the new, waits until it is ready and initialises it. */
async function podReplaced(pass: Pass): Promise<boolean> {
  const { pod } = pass;
  if (pod !== undefined && podRevision(pod) !== pass.revision) {
    if (pod.metadata.deletionTimestamp === undefined) await pass.deletePod(pod);
    return false;
  }
  if (pod === undefined) {
    if (pass.sandbox.spec.upgradePolicy?.type === 'CheckpointRestore') requireCheckpointId(pass);
    await pass.createPod();
    return false;
  }
  if (!pass.podReady) {
    reportBrokenContainers(pass, pod);
    return false;
  }
  pass.syncPodInfo(pod);
  if (!(await initialize(pass))) return false;
  pass.emit('Normal', 'UpgradePodReplaced', 'Pod replaced successfully, proceeding to PostUpgrade');
  return true;
}

/** Every broken main container has its event; the condition names the last one. */
function reportBrokenContainers(pass: Pass, pod: Pod): void {
  for (const { name, state } of pod.status?.containerStatuses ?? []) {
    const { waiting, terminated } = state ?? {};
    if (waiting !== undefined && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
      const why = `${waiting.reason} - ${waiting.message ?? ''}`;
      pass.set('Upgrading', 'False', 'UpgradePodFailed', `container ${name}: ${why}`);
      pass.emit('Warning', 'UpgradePodFailed', `Container ${name} waiting: ${why}`);
    } else if (terminated !== undefined) {
      const why = `terminated with exit code ${terminated.exitCode} - ${terminated.reason ?? ''}`;
      pass.set('Upgrading', 'False', 'UpgradePodFailed', `container ${name}: ${why}`);
      pass.emit('Warning', 'UpgradePodFailed', `Container ${name} ${why}`);
    }
  }
}

const podRevision = (pod: Pod | undefined): string | undefined => pod?.metadata.labels?.[label.podTemplateHash];
