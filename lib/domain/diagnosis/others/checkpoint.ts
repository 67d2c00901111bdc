import type { KubeObject } from '@/lib/contracts/objects';
import { kubectlDelete } from '../../kubectl';
import { record, text } from '../../read';
import type { Severity } from '../../severity';
import { parseTime } from '../../time';
import { type Rule, said, saidTime } from '../rule';
import { step, wait } from '../steps';
import type { Verdict } from '../verdict';
import { verdictOf } from '../verdict-of';

export interface CheckpointScene {
  object: KubeObject;
  now: number;
}

const phaseOf = ({ object }: CheckpointScene): string => text(record(object.status).phase) ?? '';
const createdOf = ({ object }: CheckpointScene): number | undefined => parseTime(object.metadata.creationTimestamp);

const takenWithinMs = 60_000;

const deleteCheckpoint = ({ object }: CheckpointScene) =>
  step('DeleteCheckpoint', {
    kubectl: [kubectlDelete(object.metadata.namespace ?? '', 'checkpoints', object.metadata.name)],
  });

/** The open-source controllers have none that completes a checkpoint (T10, domain 7.2). */
export const checkpointNotTaken: Rule<CheckpointScene> = {
  code: 'CheckpointNotTaken',
  kind: 'fault',
  confidence: 'likely',
  applies: (scene) => {
    const created = createdOf(scene);
    return (
      (phaseOf(scene) === '' || phaseOf(scene) === 'Pending') &&
      created !== undefined &&
      scene.now - created > takenWithinMs
    );
  },
  evidence: (scene) => [
    said('Checkpoint status.phase', phaseOf(scene) || 'none'),
    saidTime('Checkpoint metadata.creationTimestamp', createdOf(scene)),
  ],
  steps: (scene) => [step('InstallCheckpoints'), deleteCheckpoint(scene)],
  useless: () => [wait()],
};

export const checkpointObjectFailed: Rule<CheckpointScene> = {
  code: 'CheckpointObjectFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => phaseOf(scene) === 'Failed',
  evidence: (scene) => [
    said('Checkpoint status.phase', 'Failed'),
    said('Checkpoint status.message', text(record(scene.object.status).message)),
  ],
  steps: (scene) => [deleteCheckpoint(scene)],
};

export const checkpointRules = [checkpointNotTaken, checkpointObjectFailed] as const;

const phases: ReadonlySet<string> = new Set(['', 'Pending', 'Creating', 'Succeeded', 'Failed', 'Terminating']);

/** It is in the making from its creation on; its end has a time of its own. */
function sinceOf(scene: CheckpointScene): { at: number; clock: Verdict['clock'] } | undefined {
  const over = phaseOf(scene) === 'Succeeded' || phaseOf(scene) === 'Failed';
  const at = over ? parseTime(record(scene.object.status).completionTime) : createdOf(scene);
  return at === undefined ? undefined : { at, clock: over ? 'condition' : 'created' };
}

/** The verdict on a Checkpoint. */
export function diagnoseCheckpoint(object: KubeObject, now: number): Verdict {
  const scene = { object, now };
  const { name, namespace, uid } = object.metadata;
  const phase = phaseOf(scene);
  const since = sinceOf(scene);
  return verdictOf({
    subject: { kind: 'Checkpoint', ns: namespace ?? '', name, uid },
    state: phase,
    rules: checkpointRules,
    scene,
    ...(since ? { since } : {}),
    now,
    severityOf: (): Severity => 'warn',
    missing: [],
    unknown: phases.has(phase) ? [] : [{ path: 'Checkpoint status.phase', value: phase }],
  });
}
