import type { KubeObject } from '@/lib/contracts/objects';
import { kubectlDelete } from '../../kubectl';
import { record, text } from '../../read';
import { defaultHookTimeoutSeconds, failedHook } from '../../sandbox-asks';
import { isActive } from '../../upgrades/view';
import { isImageReason } from '../../waiting-reasons';
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

/** The one that is active in its namespace, or may be: its own, where nobody looked. */
function activeOperation({ more }: SandboxScene): string | undefined {
  const own = more && operationName(more.sandbox);
  const active = more?.operations?.filter(isActive).map(({ name }) => name);
  return active === undefined || active.some((name) => name === own) ? own : active[0];
}

/** Another operation: the webhook refuses it as long as one is active in the namespace (domain 6.1). */
function newOperation(scene: SandboxScene, ...make: Step[]): Step[] {
  const operation = activeOperation(scene);
  const end = deleteOperationOf(scene);
  if (operation === undefined) return [...make, ...end];
  const isOwn = scene.more && operation === operationName(scene.more.sandbox);
  const waits = step('WaitForOperation', { values: { operation } });
  return isOwn ? [waits, ...end, ...make] : [waits, ...make, ...end];
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
  steps: (scene) => [step('ReadHookOutput'), ...newOperation(scene, step('RetryOperation'))],
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
  steps: (scene) => (scene.more ? newOperation(scene, step('FixWithOperation'), describePod(scene.more)) : []),
  useless: (scene) => (scene.more ? [...(failsAlike(scene) ? [deletePod(scene.more)] : []), wait()] : []),
};

/** Of the image or of what runs in it, which another Pod has as well; what a node failed to give may be had on another. */
const failsAlike = (scene: SandboxScene): boolean => {
  const [, reason = ''] = stageMessage(scene)?.match(/^container \S+: (\w+)/) ?? [];
  return isImageReason(reason) || reason === 'CrashLoopBackOff' || reason === 'terminated';
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
  steps: (scene) => {
    const operation = activeOperation(scene);
    const waits = operation === undefined ? [] : [step('WaitForOperation', { values: { operation } })];
    return [...waits, step('FixWithOperation')];
  },
};
