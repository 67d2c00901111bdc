import type { KubeObject } from '@/lib/contracts/objects';
import { kubectlDelete } from '../../kubectl';
import { record, text } from '../../read';
import { defaultHookTimeoutSeconds, failedHook } from '../../sandbox-asks';
import { isActive } from '../../upgrades/view';
import { type Rule, said } from '../rule';
import { condition, type SandboxScene, saidCondition, upgradeReason } from '../scene';
import { checkController, deletePod, describePod, patchStep, type Step, step, wait } from '../steps';
import { runtimesOf } from './pod';

const prefix = 'agents.kruise.io/';

export const operationName = (sandbox: KubeObject): string | undefined =>
  text(sandbox.metadata.labels?.[`${prefix}update-ops`]);

/** The operation that its label names; null when there is none of that name, undefined when nobody looked. */
export function operationOf({ more }: SandboxScene) {
  if (!more?.operations) return undefined;
  const name = operationName(more.sandbox);
  return more.operations.find((op) => op.name === name) ?? null;
}

/** That one: whoever is in its hands cannot go on without it, or is not freed by its end. */
export function deleteOperationOf({ more }: SandboxScene): Step[] {
  const operation = more && operationName(more.sandbox);
  if (!more || operation === undefined) return [];
  const kubectl = [kubectlDelete(more.ns, 'sandboxupdateops', operation)];
  return [step('DeleteOperation', { values: { operation }, kubectl })];
}

const says = (...reasons: string[]) => {
  const wanted: ReadonlySet<string | undefined> = new Set(reasons);
  return (scene: SandboxScene): boolean => wanted.has(upgradeReason(scene));
};
const stageMessage = (scene: SandboxScene): string | undefined => condition(scene, 'Upgrading')?.message;
const saidStage = (scene: SandboxScene) => [
  ...saidCondition(scene, 'Upgrading'),
  said(`Sandbox metadata.labels[${prefix}update-ops]`, scene.more && operationName(scene.more.sandbox)),
];

/** Hooks run several times: three to five, and again with every later change (domain 4.6). */
export const hookFailed: Rule<SandboxScene> = {
  code: 'HookFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: says('PreUpgradeFailed', 'PostUpgradeFailed'),
  detail: stageMessage,
  evidence: (scene) => {
    const reason = upgradeReason(scene);
    const hook = failedHook(reason, scene.more?.sandbox);
    const runs = scene.more?.events?.find((event) => event.reason === reason);
    return [
      ...saidStage(scene),
      said(`Sandbox spec.lifecycle.${hook?.which}.exec.command`, hook?.command),
      said(
        `Sandbox spec.lifecycle.${hook?.which}.timeoutSeconds`,
        hook && (hook.timeoutSeconds ?? defaultHookTimeoutSeconds),
      ),
      said(`Event ${reason} count`, runs?.count),
    ];
  },
  steps: (scene) => [step('ReadHookOutput'), step('RetryOperation'), ...deleteOperationOf(scene)],
  useless: ({ more }) => (more ? [wait(), deletePod(more)] : []),
};

/** Hooks are run through the runtime: without one there is nothing that could run them (T46). */
export const hookWithoutRuntime: Rule<SandboxScene> = {
  code: 'HookWithoutRuntime',
  kind: 'hint',
  confidence: 'likely',
  applies: (scene) => {
    if (!scene.more || !hookFailed.applies(scene) || runtimesOf(scene).includes('agent-runtime')) return false;
    const spec = record(record(record(scene.more.sandbox.spec).template).spec);
    return !JSON.stringify(spec.initContainers ?? []).match(/"name":"(agent-)?runtime"/);
  },
  evidence: (scene) => [said('Sandbox spec.runtimes', runtimesOf(scene).join(', ') || 'none')],
  steps: () => [step('CheckRuntime')],
};

export const upgradePodFailed: Rule<SandboxScene> = {
  code: 'UpgradePodFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: says('UpgradePodFailed'),
  detail: stageMessage,
  evidence: (scene) => [
    ...saidStage(scene),
    said('Pod status.phase', scene.pod?.phase),
    said('Pod waiting', scene.pod?.waiting && `${scene.pod.waiting.container}: ${scene.pod.waiting.reason}`),
  ],
  steps: (scene) =>
    scene.more ? [step('FixWithOperation'), describePod(scene.more), ...deleteOperationOf(scene)] : [],
  useless: ({ more }) => (more ? [deletePod(more), wait()] : []),
};

/** Woken for the upgrade; the operation patches the template next, unless it is paused (T47). */
export const operationPaused: Rule<SandboxScene> = {
  code: 'OperationPaused',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) =>
    upgradeReason(scene) === 'ResumeSucceed' && (scene.operationPaused || operationOf(scene)?.paused === true),
  evidence: (scene) => [...saidStage(scene), said('SandboxUpdateOps spec.paused', 'true')],
  steps: (scene) => {
    const op = operationOf(scene);
    if (!scene.more || !op) return [];
    return [
      patchStep('ContinueOperation', op, 'sandboxupdateops', [{ op: 'replace', path: '/spec/paused', value: false }]),
    ];
  },
};

export const waitingForPatch: Rule<SandboxScene> = {
  code: 'WaitingForPatch',
  kind: 'wait',
  confidence: 'certain',
  applies: says('ResumeSucceed'),
  evidence: saidStage,
  steps: ({ more }) => (more ? [wait(), checkController()] : []),
};

const pauseCheckpoint = (scene: SandboxScene): string | undefined =>
  scene.facts.phase === 'Paused' ? condition(scene, 'SandboxPaused')?.reason : undefined;
const checkpointCondition = (scene: SandboxScene): 'Upgrading' | 'SandboxPaused' =>
  scene.facts.phase === 'Upgrading' ? 'Upgrading' : 'SandboxPaused';

const checkpointPhase = ({ more }: SandboxScene): string | undefined => {
  const own = more?.checkpoints?.find(({ metadata }) => metadata.name.startsWith(`${more.name}-`));
  return own && (text(record(own.status).phase) ?? 'none');
};

/** The open-source controllers create checkpoints and nobody completes them (T10, domain 7.2). */
export const checkpointPending: Rule<SandboxScene> = {
  code: 'CheckpointPending',
  kind: 'wait',
  confidence: 'certain',
  applies: (scene) => says('Checkpointing')(scene) || pauseCheckpoint(scene) === 'CheckpointCreating',
  detail: (scene) => condition(scene, checkpointCondition(scene))?.message,
  evidence: (scene) => [
    ...saidCondition(scene, checkpointCondition(scene)),
    said('Checkpoint status.phase', checkpointPhase(scene)),
  ],
  steps: ({ more }) => (more ? [step('InstallCheckpoints'), step('RestoreAsRecreate')] : []),
  useless: (scene) => (scene.more ? [...deleteOperationOf(scene), deletePod(scene.more)] : []),
};

export const checkpointFailed: Rule<SandboxScene> = {
  code: 'CheckpointFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => says('CheckpointFailed')(scene) || pauseCheckpoint(scene) === 'CheckpointFailed',
  detail: (scene) => condition(scene, checkpointCondition(scene))?.message,
  evidence: (scene) => saidCondition(scene, checkpointCondition(scene)),
  steps: ({ more }) => (more ? [step('InstallCheckpoints'), step('RestoreAsRecreate')] : []),
};

/** In Upgrading, and the operation that brought it there is gone: nobody goes on with it (T2, domain 6.6). */
export const orphanedUpgrade: Rule<SandboxScene> = {
  code: 'OrphanedUpgrade',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => {
    const op = operationOf(scene);
    const stuckStage = upgradeReason(scene) === 'Resuming' || (upgradeReason(scene)?.endsWith('Failed') ?? false);
    return stuckStage && op !== undefined && (op === null || !isActive(op));
  },
  evidence: (scene) => saidStage(scene).concat(said('SandboxUpdateOps', operationOf(scene)?.phase ?? 'none')),
  steps: () => [step('FixWithOperation')],
};
