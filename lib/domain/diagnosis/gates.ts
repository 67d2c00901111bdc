import type { Rule } from './rule';
import { checkpointFailed, checkpointPending } from './rules/checkpoint';
import * as ends from './rules/ends';
import { hookOnNodeAway } from './rules/hook-on-node';
import { initImageMismatch, initStatusMissing } from './rules/images';
import { inplaceFailed, inplaceNotStarting, inplaceSuperseded, inplaceUpdating } from './rules/inplace';
import { nodeAwayWhile } from './rules/node';
import * as pod from './rules/pod';
import { runtimeInitFailed, runtimeInitPending } from './rules/runtime';
import * as start from './rules/start';
import * as upgrade from './rules/upgrade';
import { type SandboxScene, upgradeReason } from './scene';

export const gateCodes = [
  'TakenUp',
  'PauseFinished',
  'OldPodGone',
  'PodExists',
  'Scheduled',
  'ContainersStart',
  'PodRunning',
  'InitImages',
  'PodReady',
  'InplaceUpdate',
  'RuntimeInitialised',
  'Written',
  'PodStays',
  'Unlocked',
  'SpecSeen',
  'Checkpoint',
  'PodGone',
  'FinalizerGone',
  'Recycle',
  'Alive',
  'Resumed',
  'TemplatePatched',
  'PreUpgradeHook',
  'PostUpgradeHook',
  'NewPod',
] as const;
export type GateCode = (typeof gateCodes)[number];

/** Something the controller waits for. It is passed when none of the rules, which say what can hold it, applies. */
export interface Gate {
  code: GateCode;
  rules: readonly Rule<SandboxScene>[];
  /** Nothing can be said about it without having looked for a Pod. */
  ofPod?: true;
  /** Compares images. */
  images?: true;
  /** Comes after what is looked at now. */
  ahead?: true;
}

const gate = (code: GateCode, ...rules: Rule<SandboxScene>[]): Gate => ({ code, rules });
const podGate = (code: GateCode, ...rules: Rule<SandboxScene>[]): Gate => ({ code, rules, ofPod: true });

const oldPodGone = podGate('OldPodGone', pod.nodeNotReady, pod.oldPodTerminating, pod.podOwnerMismatch);
const notStarting = [inplaceNotStarting, start.imagePull, start.crashLoop, start.startContainerFailed];
const podStarts: Gate[] = [
  podGate('Scheduled', start.unschedulable),
  podGate('ContainersStart', nodeAwayWhile(...notStarting, start.podNotRunning), ...notStarting),
  podGate('PodRunning', start.podNotRunning),
];
const podIsMade: Gate[] = [
  oldPodGone,
  podGate('PodExists', pod.podCreateFailed, pod.templateMissing, pod.runtimeTemplateMissing, pod.podMissing),
  ...podStarts,
];
const initImages: Gate = {
  ...podGate('InitImages', initImageMismatch, nodeAwayWhile(initStatusMissing), initStatusMissing),
  images: true,
};
const podReady = podGate('PodReady', nodeAwayWhile(start.podNotReady), start.podNotReady);
const written = gate('Written', ends.notWritten);
const podStays = podGate('PodStays', pod.nodeNotReady, pod.podDeletedUnderneath, pod.oldPodTerminating);
const inplace = gate(
  'InplaceUpdate',
  inplaceFailed,
  inplaceSuperseded,
  nodeAwayWhile(inplaceUpdating),
  inplaceUpdating,
);

const creating = [gate('TakenUp', ends.noTemplate, pod.templateMissing, ends.notTakenUp), ...podIsMade, written];
const running = [podStays, podGate('PodExists', pod.podVanished), inplace];
const available = [gate('Unlocked', ends.lockLeft), ...running];
const notReady = [podStays, podGate('PodExists', pod.podMissing), ...podStarts, inplace, podReady, written];
const runtimeAway = { ...nodeAwayWhile(runtimeInitFailed, runtimeInitPending), confidence: 'likely' as const };
const initialised = gate('RuntimeInitialised', runtimeAway, runtimeInitFailed, runtimeInitPending);
const initialising = [podStays, ...podStarts, initialised];
const resuming = [gate('PauseFinished'), ...podIsMade, initImages, written];
const pauseAsked = [gate('SpecSeen', ends.notSeen)];
const pausing = [
  gate('Checkpoint', checkpointFailed, checkpointPending),
  podGate('PodGone', pod.nodeNotReady, pod.oldPodTerminating),
  written,
];
const recycling = [gate('Recycle', ends.recycleFailed), podStays];
const ended = [gate('Alive', ends.podNotFound, ends.podEnded)];
const terminating = [
  podGate('PodGone', pod.nodeNotReady, pod.oldPodTerminating),
  gate('FinalizerGone', ends.finalizerHeld),
];

const patched = gate('TemplatePatched', upgrade.operationPaused, upgrade.waitingForPatch);
const hook = (code: 'PreUpgradeHook' | 'PostUpgradeHook') => gate(code, ...hookOnNodeAway, upgrade.hookFailed);
const checkpoint = gate('Checkpoint', checkpointFailed, checkpointPending);
const upgradePodFailed = podGate(
  'NewPod',
  nodeAwayWhile(upgrade.upgradePodFailed),
  pod.nodeNotReady,
  upgrade.upgradePodFailed,
);
const newPod = [...podIsMade, podReady, written];

/** The stages of an upgrade that follow each other (domain 4.6), with the gates of each. */
const stages: readonly { reasons: readonly string[]; gates: readonly Gate[]; stage: GateCode }[] = [
  { stage: 'Resumed', reasons: ['Resuming'], gates: [...podIsMade, initImages, podReady, written] },
  { stage: 'TemplatePatched', reasons: ['ResumeSucceed'], gates: [patched] },
  { stage: 'PreUpgradeHook', reasons: ['PreUpgrade', 'PreUpgradeFailed'], gates: [hook('PreUpgradeHook')] },
  { stage: 'Checkpoint', reasons: ['Checkpointing', 'CheckpointFailed'], gates: [checkpoint] },
  { stage: 'NewPod', reasons: ['UpgradePod'], gates: newPod },
  { stage: 'NewPod', reasons: ['UpgradePodFailed'], gates: [upgradePodFailed] },
  { stage: 'PostUpgradeHook', reasons: ['PostUpgrade', 'PostUpgradeFailed'], gates: [hook('PostUpgradeHook')] },
];

const upgradeGates = new Map<string, readonly Gate[]>(
  stages.flatMap(({ reasons, gates, stage }, index) => {
    const later = stages.slice(index + 1).filter((each) => each.stage !== stage);
    const ahead = [...new Set(later.map((each) => each.stage))].map((code): Gate => ({ code, rules: [], ahead: true }));
    return reasons.map((reason) => [reason, [...gates, ...ahead]] as const);
  }),
);

/** What the controller waits for in the state of the sandbox, in its own order (domain 4.1-4.8); empty for an unknown one. */
export function gatesOf(scene: SandboxScene): readonly Gate[] {
  switch (scene.state) {
    case 'Creating':
      return creating;
    case 'Available':
      return available;
    case 'Running':
      return running;
    case 'NotReady':
      return notReady;
    case 'Initialising':
      return initialising;
    case 'Pausing':
      return scene.facts.phase === 'Paused' ? pausing : pauseAsked;
    case 'Paused':
      return scene.facts.paused ? [] : pauseAsked;
    case 'Resuming':
      return resuming;
    case 'Upgrading':
      return upgradeGates.get(upgradeReason(scene) ?? '') ?? [];
    case 'Recycling':
      return recycling;
    case 'Failed':
      return ended;
    case 'Terminating':
      return terminating;
    case 'Succeeded':
    case 'Other':
      return [];
  }
}

/** Of every state and stage. */
export const allGates = (): Gate[] => [
  ...[creating, available, notReady, initialising, resuming, pauseAsked, pausing, recycling, ended, terminating].flat(),
  ...[...upgradeGates.values()].flat(),
];

export interface Held {
  gate: Gate;
  rule: Rule<SandboxScene>;
}

/** The first gate that is not passed, with the first rule that says why; undefined when nothing holds the sandbox up. */
export function heldAt(scene: SandboxScene): Held | undefined {
  for (const each of gatesOf(scene)) {
    const rule = each.rules.find((candidate) => candidate.applies(scene));
    if (rule) return { gate: each, rule };
  }
  return undefined;
}
