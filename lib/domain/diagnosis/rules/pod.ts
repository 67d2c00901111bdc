import { kubectlGet, kubectlJsonPatch } from '../../kubectl';
import { list, record, text } from '../../read';
import { type Rule, said, saidTime } from '../rule';
import { condition, lags, type SandboxScene, saidCondition } from '../scene';
import {
  checkController,
  deletePod,
  deleteSandbox,
  describePod,
  findInjection,
  readEvents,
  step,
  wait,
} from '../steps';
import { pauseAgain, saysStartFailure } from './start';

/** A Pod of a sandbox that had the name before waits for the garbage collector (domain 4.3). */
const isForeign = ({ facts, pod }: SandboxScene): boolean => pod?.ownerUid !== undefined && pod.ownerUid !== facts.uid;

const isTerminating = ({ pod }: SandboxScene): boolean => pod?.deleting !== undefined;

const saidPod = ({ pod }: SandboxScene) => [
  saidTime('Pod metadata.deletionTimestamp', pod?.deleting),
  said('Pod metadata.finalizers', pod?.finalizers?.join(', ')),
  said('Pod spec.nodeName', pod?.node),
];

const where = ({ pod }: SandboxScene): string | undefined =>
  pod && `${pod.node ?? pod.name}${pod.finalizers?.length ? ` · ${pod.finalizers.join(', ')}` : ''}`;

/** Its kubelet does not answer: nobody confirms that the Pod has ended, so it stays until the node is back or gone. */
export const nodeNotReady: Rule<SandboxScene> = {
  code: 'NodeNotReady',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => isTerminating(scene) && (scene.node?.ready === false || scene.pod?.reason === 'NodeLost'),
  detail: where,
  evidence: (scene) => [
    said(`Node ${scene.node?.name} status.conditions[Ready]`, scene.node?.ready === false ? 'not True' : undefined),
    said('Pod status.reason', scene.pod?.reason),
    ...saidPod(scene),
  ],
  steps: ({ pod, more }) => {
    if (!more || !pod) return [];
    const kubectl = pod.node === undefined ? [] : [kubectlGet(undefined, 'node', pod.node, 'wide')];
    const force = `${deletePod(more).kubectl[0]} --grace-period=0 --force`;
    const values = { node: pod.node ?? '' };
    return [
      step('CheckNode', { values, kubectl }),
      step('ForceDeletePod', { values, kubectl: [force], loses: ['memory', 'rootFileSystem', 'address'] }),
    ];
  },
  useless: (scene) => (scene.more ? [deletePod(scene.more), ...pauseAgain(scene)] : []),
};

/** Once the Pod is gone the sandbox is Failed for ever (T25). A pause or an upgrade that deletes it is not written yet: then it lags. */
export const podDeletedUnderneath: Rule<SandboxScene> = {
  code: 'PodDeleted',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) =>
    isTerminating(scene) && scene.facts.phase === 'Running' && !scene.facts.paused && !lags(scene) && !isForeign(scene),
  detail: where,
  evidence: (scene) => [said('Sandbox status.phase', scene.facts.phase), ...saidPod(scene)],
  steps: ({ facts, more }) => {
    if (!more) return [];
    return facts.idle ? [wait()] : [step('MoveSession'), deleteSandbox(more)];
  },
};

export const oldPodTerminating: Rule<SandboxScene> = {
  code: 'OldPodTerminating',
  kind: 'wait',
  confidence: 'certain',
  applies: isTerminating,
  detail: where,
  evidence: saidPod,
  steps: ({ pod, more }) => {
    if (!more) return [];
    const { ns, name } = more;
    const release = kubectlJsonPatch(ns, 'pods', name, [{ op: 'remove', path: '/metadata/finalizers' }]);
    const values = { finalizers: pod?.finalizers?.join(', ') ?? '' };
    return [
      wait(),
      describePod(more),
      ...(pod?.finalizers?.length
        ? [step('ReleasePodFinalizer', { values, kubectl: [release], loses: ['cleanUp'] })]
        : []),
    ];
  },
  useless: ({ more }) => (more ? [deletePod(more)] : []),
};

export const podOwnerMismatch: Rule<SandboxScene> = {
  code: 'PodOwnerMismatch',
  kind: 'wait',
  confidence: 'certain',
  applies: isForeign,
  detail: where,
  evidence: ({ facts, pod }) => [
    said('Pod metadata.ownerReferences[controller].uid', pod?.ownerUid),
    said('Sandbox metadata.uid', facts.uid),
  ],
  steps: ({ more }) => (more ? [wait(), deletePod(more, 'ReplacePod')] : []),
};

const lacksPod = ({ pod, podUnknown }: SandboxScene): boolean => pod === undefined && !podUnknown;

export const podCreateFailed: Rule<SandboxScene> = {
  code: 'PodCreateFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => lacksPod(scene) && condition(scene, 'Ready')?.reason === 'PodCreateFailed',
  detail: (scene) => condition(scene, 'Ready')?.message,
  evidence: (scene) => saidCondition(scene, 'Ready'),
  steps: ({ more }) =>
    more
      ? [step('RaiseQuota', { kubectl: [kubectlGet(more.ns, 'resourcequotas,limitranges')] }), readEvents(more)]
      : [],
  useless: pauseAgain,
};

export const templateMissing: Rule<SandboxScene> = {
  code: 'TemplateMissing',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => lacksPod(scene) && scene.templateMissing !== undefined,
  detail: ({ templateMissing }) => templateMissing,
  evidence: ({ templateMissing }) => [said('Sandbox spec.templateRef.name', templateMissing)],
  steps: ({ more, templateMissing }) =>
    more
      ? [
          step('CreateTemplate', {
            values: { template: templateMissing ?? '' },
            kubectl: [kubectlGet(more.ns, 'sandboxtemplates')],
          }),
        ]
      : [],
};

/** How long the console gives the controller to make a Pod or to say why it cannot (medians of 0.05 s were recorded). */
const makesPodWithinMs = 10_000;

/** A runtime without its template in the controller's ConfigMap gives neither Pod, nor condition, nor event (domain 4.10). */
export const runtimeTemplateMissing: Rule<SandboxScene> = {
  code: 'RuntimeTemplateMissing',
  kind: 'fault',
  confidence: 'possible',
  applies: (scene) => {
    const { facts, more } = scene;
    if (!more || !lacksPod(scene) || facts.phase !== 'Pending' || lags(scene)) return false;
    const old = more.now - (facts.created ?? more.now) > makesPodWithinMs;
    return old && runtimesOf(scene).length > 0 && condition(scene, 'Ready') === undefined;
  },
  detail: (scene) => runtimesOf(scene).join(', '),
  evidence: (scene) => [said('Sandbox spec.runtimes', runtimesOf(scene).join(', '))],
  steps: (scene) =>
    scene.more
      ? [
          step('AddInjectionTemplate', {
            values: { runtimes: runtimesOf(scene).join(', ') },
            kubectl: [findInjection],
          }),
          checkController(),
        ]
      : [],
};

export const runtimesOf = ({ more }: SandboxScene): string[] =>
  list(record(more?.sandbox.spec).runtimes).flatMap((entry) => text(record(entry).name) ?? []);

export const podMissing: Rule<SandboxScene> = {
  code: 'PodMissing',
  kind: 'wait',
  confidence: 'certain',
  applies: (scene) => lacksPod(scene) && !saysStartFailure(scene),
  evidence: ({ more }) => [said('Pod', more && `${more.ns}/${more.name}: none`)],
  steps: ({ more }) => (more ? [wait(), readEvents(more), checkController()] : []),
};

/**
 * Under a sandbox that runs, once the Pod is gone: Failed follows at once, or the controller is not there to write it (T25). Rows do not
 * ask: theirs may be made before the first Pod was listed, or where none may be.
 */
export const podVanished: Rule<SandboxScene> = {
  ...podMissing,
  applies: (scene) => scene.more !== undefined && lacksPod(scene) && !lags(scene),
};
