import type { SandboxStatus } from '../client/objects';
import { findCondition } from '../rules/conditions';
import { annotation } from '../rules/keys';
import type { Pass } from './pass';
import { beginRecycling, rejectRecycling, wantsRecycling } from './recycle';
import { beginUpgrade, restartUpgrade } from './upgrade';

/** What is decided before the phase's handler runs: the next phase, the observed generation and the revision. */
export function decidePhase(pass: Pass): void {
  const { sandbox, status, pod } = pass;
  const oldRevision = sandbox.status?.updateRevision;
  status.observedGeneration = sandbox.metadata.generation ?? 0;
  status.updateRevision = pass.revision;
  status.podInfo ??= {};
  status.phase ||= 'Pending';
  const podPhase = pass.ownsPod ? pod?.status?.phase : undefined;
  switch (status.phase) {
    case 'Pending':
      if (podPhase === 'Succeeded' || podPhase === 'Failed') end(status, podPhase, `Pod status phase is ${podPhase}`);
      return;
    case 'Running':
      decideRunning(pass, oldRevision, podPhase);
      return;
    case 'Paused':
      decidePaused(pass, oldRevision);
      return;
    case 'Upgrading':
      if (oldRevision !== pass.revision) restartUpgrade(pass);
      return;
  }
}

function decideRunning(pass: Pass, oldRevision: string | undefined, podPhase: string | undefined): void {
  const { sandbox, status, pod } = pass;
  if (wantsRecycling(pass) && beginRecycling(pass)) return;
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) {
    end(status, 'Failed', 'Pod Not Found');
  } else if (podPhase === 'Succeeded' || podPhase === 'Failed') {
    end(status, podPhase, `Pod status phase is ${podPhase}`);
  } else if (oldRevision !== pass.revision && pass.replacesPods) {
    beginUpgrade(pass, false);
  } else if (sandbox.spec.paused === true) {
    status.phase = 'Paused';
    pass.drop('SandboxResumed');
  }
}

function decidePaused(pass: Pass, oldRevision: string | undefined): void {
  const { sandbox, status } = pass;
  if (wantsRecycling(pass)) rejectRecycling(pass, 'recycle is not supported in Paused state');
  if (findCondition(status.conditions, 'SandboxPaused')?.status !== 'True') {
    // A template that changes meanwhile must still be a change when the pause is complete.
    if (oldRevision !== undefined) status.updateRevision = oldRevision;
  } else if (sandbox.spec.paused !== true) {
    status.phase = 'Resuming';
    pass.set('SandboxResumed', 'False', 'CreatePod');
  } else if (sandbox.metadata.annotations?.[annotation.resumeTrigger] === 'true') {
    beginUpgrade(pass, true);
  }
}

function end(status: SandboxStatus, phase: string, message: string): void {
  status.phase = phase;
  status.message = message;
}

export const orEmpty = (phase: string | undefined): string => phase || '<empty>';

const texts: Record<string, string> = {
  '>Pending': 'Start sandbox',
  'Pending>Running': 'Sandbox started',
  'Running>Paused': 'Pause sandbox',
  'Paused>Resuming': 'Resume sandbox',
  'Resuming>Running': 'Sandbox resumed',
  'Running>Upgrading': 'Upgrade sandbox',
  'Paused>Upgrading': 'Upgrade paused sandbox',
  'Upgrading>Running': 'Sandbox upgraded',
  'Running>Recycling': 'Recycle sandbox',
  'Recycling>Running': 'Sandbox recycled',
};

/** The event of a persisted phase change. */
export function phaseEvent(
  before: string,
  status: SandboxStatus,
): { type: 'Normal' | 'Warning'; reason: string; message: string } {
  const phase = status.phase ?? '';
  const end = phase === 'Failed' ? 'Sandbox failed' : phase === 'Succeeded' ? 'Sandbox succeeded' : undefined;
  const text = end ?? texts[`${before}>${phase}`] ?? `Sandbox phase changed from ${orEmpty(before)} to ${phase}`;
  return {
    type: phase === 'Failed' ? 'Warning' : 'Normal',
    reason: `Sandbox${phase}`,
    message: status.message ? `${text}: ${status.message}` : text,
  };
}
