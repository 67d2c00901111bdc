import type { KubeObject } from '@/lib/contracts/objects';
import { kubectlDelete, kubectlGet, quote } from '../../kubectl';
import { record, text } from '../../read';
import { type CheckpointScene, checkpointNotTaken } from '../others/checkpoint';
import { type Rule, said } from '../rule';
import { condition, type SandboxScene, saidCondition, upgradeReason } from '../scene';
import { deletePod, type Step, step, type Target } from '../steps';
import { deleteOperationOf } from './upgrade';

const pauseCheckpoint = (scene: SandboxScene): string | undefined =>
  scene.facts.phase === 'Paused' ? condition(scene, 'SandboxPaused')?.reason : undefined;
const checkpointCondition = (scene: SandboxScene): 'Upgrading' | 'SandboxPaused' =>
  scene.facts.phase === 'Upgrading' ? 'Upgrading' : 'SandboxPaused';

/** A pause has no strategy to change. */
const asRecreate = ({ facts }: SandboxScene): Step[] =>
  facts.phase === 'Upgrading' ? [step('RestoreAsRecreate')] : [];

const ownCheckpoints = ({ more }: SandboxScene): readonly KubeObject[] =>
  more?.checkpoints?.filter(({ metadata, spec }) => {
    const of = text(record(spec).sandboxName) ?? text(record(spec).podName);
    return of === undefined ? metadata.name.startsWith(`${more.name}-`) : of === more.name;
  }) ?? [];

const checkpointPhase = (scene: SandboxScene): string | undefined => {
  const [own] = ownCheckpoints(scene);
  return own && (text(record(own.status).phase) ?? 'none');
};

/** The open-source controllers create checkpoints and nobody completes them (T10, domain 7.2). */
export const checkpointPending: Rule<SandboxScene> = {
  code: 'CheckpointPending',
  kind: 'wait',
  confidence: 'certain',
  applies: (scene) => upgradeReason(scene) === 'Checkpointing' || pauseCheckpoint(scene) === 'CheckpointCreating',
  detail: (scene) => condition(scene, checkpointCondition(scene))?.message,
  evidence: (scene) => [
    ...saidCondition(scene, checkpointCondition(scene)),
    said('Checkpoint status.phase', checkpointPhase(scene)),
  ],
  steps: (scene) => (scene.more ? [step('InstallCheckpoints'), ...asRecreate(scene)] : []),
  useless: (scene) => (scene.more ? [...deleteOperationOf(scene), deletePod(scene.more)] : []),
};

export const checkpointFailed: Rule<SandboxScene> = {
  code: 'CheckpointFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => upgradeReason(scene) === 'CheckpointFailed' || pauseCheckpoint(scene) === 'CheckpointFailed',
  detail: (scene) => condition(scene, checkpointCondition(scene))?.message,
  evidence: (scene) => [
    ...saidCondition(scene, checkpointCondition(scene)),
    said('Checkpoint status.phase', checkpointPhase(scene)),
  ],
  steps: (scene) => {
    if (!scene.more) return [];
    const message = condition(scene, checkpointCondition(scene))?.message ?? '';
    const instead = asRecreate(scene);
    if (noProvider.test(message)) return [step('InstallCheckpoints'), ...instead];
    const read = step('ReadCheckpoint', { kubectl: [checkpointsOf(scene.more)] });
    // As long as the one that failed is there, no other is made (domain 4.6).
    const again = failedCheckpoint(scene).map((name) =>
      step('DeleteCheckpoint', { kubectl: [kubectlDelete(scene.more?.ns ?? '', 'checkpoints', name)] }),
    );
    return outOfTime.test(message) ? [...again, read, ...instead] : [read, ...again, ...instead];
  },
};

/** In the words of the API server, of gRPC and of vendors' controllers: nobody is there who makes checkpoints. */
const noProvider =
  /no matches for kind|could not find the requested resource|unimplemented|(not|un) ?supported|(?:no|without a?) ?(?:checkpoint )?(?:provider|driver|plugin|controller)|(?:provider|driver|plugin|controller)\b.* not (?:found|installed|registered|configured|enabled)/i;
const outOfTime = /timed? ?out|deadline[ _]exceeded/i;

const checkpointsOf = ({ ns, name }: Target): string =>
  `${kubectlGet(ns, 'checkpoints')} -l agents.kruise.io/sandbox-name=${quote(name)} -o yaml`;

/** By what was listed, else by the name in the message: `checkpoint <name> failed during upgrade: …`. */
function failedCheckpoint(scene: SandboxScene): string[] {
  const failed = ownCheckpoints(scene).filter(({ status }) => record(status).phase === 'Failed');
  if (failed.length > 0) return failed.map(({ metadata }) => metadata.name);
  const named = condition(scene, checkpointCondition(scene))?.message?.match(/^checkpoint (\S+) failed/)?.[1];
  return named === undefined ? [] : [named];
}

const notTaken = (scene: SandboxScene): CheckpointScene | undefined => {
  const { more } = scene;
  if (!more || checkpointPending.applies(scene) || checkpointFailed.applies(scene)) return undefined;
  const all = ownCheckpoints(scene).map((object) => ({ object, now: more.now }));
  return all.find((each) => checkpointNotTaken.applies(each));
};

/** A Checkpoint of it that nobody takes up, and that it does not wait for itself (T10). */
export const ownCheckpointNotTaken: Rule<SandboxScene> = {
  code: checkpointNotTaken.code,
  kind: 'hint',
  confidence: checkpointNotTaken.confidence,
  applies: (scene) => notTaken(scene) !== undefined,
  evidence: (scene) => {
    const found = notTaken(scene);
    return found ? [said('Checkpoint', found.object.metadata.name), ...checkpointNotTaken.evidence(found)] : [];
  },
  steps: (scene) => {
    const found = notTaken(scene);
    return found ? checkpointNotTaken.steps(found) : [];
  },
};
