import { type Rule, said, saidTime } from '../rule';
import { condition, lags, type SandboxScene, saidCondition } from '../scene';
import { checkController, deleteSandbox, patchStep, step, wait } from '../steps';

const saidGenerations = ({ facts }: SandboxScene) => [
  said('Sandbox metadata.generation', facts.generation),
  said('Sandbox status.observedGeneration', facts.observed),
];

/** Every gate is passed and the result not written, or the newest spec not looked at (T21). */
const lag = (applies: Rule<SandboxScene>['applies']): Rule<SandboxScene> => ({
  code: 'ControllerLag',
  kind: 'wait',
  confidence: 'likely',
  applies,
  evidence: (scene) => [said('Sandbox status.phase', scene.facts.phase || 'none'), ...saidGenerations(scene)],
  steps: ({ more }) => (more ? [wait(), checkController()] : []),
});

export const notTakenUp = lag(({ facts }) => facts.phase === '');
export const notWritten = lag(({ podUnknown }) => !podUnknown);
export const notSeen = lag(lags);

/** The controller returns before it does anything (domain 4.1). */
export const noTemplate: Rule<SandboxScene> = {
  code: 'NoTemplate',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ facts }) => facts.phase === '' && facts.noTemplate === true,
  evidence: () => [said('Sandbox spec.template', 'none'), said('Sandbox spec.templateRef', 'none')],
  steps: ({ more }) => (more ? [step('AddTemplate'), deleteSandbox(more)] : []),
  useless: () => [wait()],
};

const failedWith = (scene: SandboxScene, pattern: RegExp): boolean =>
  scene.facts.phase === 'Failed' && pattern.test(scene.facts.message ?? '');

/** Its Pod was deleted, evicted or drained; a claimed one is never made again (T25). */
export const podNotFound: Rule<SandboxScene> = {
  code: 'PodNotFound',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => failedWith(scene, /pod not found/i),
  detail: ({ facts }) => facts.message,
  evidence: ({ facts }) => [said('Sandbox status.phase', facts.phase), said('Sandbox status.message', facts.message)],
  steps: ({ facts, more }) => {
    if (!more) return [];
    return facts.idle ? [wait()] : [step('NewSandbox'), deleteSandbox(more)];
  },
  useless: () => [step('PauseAgain'), step('ExtendShutdown')],
};

export const podEnded: Rule<SandboxScene> = {
  ...podNotFound,
  code: 'PodEnded',
  applies: (scene) => failedWith(scene, /pod status phase is/i),
};

const recycleFailures = new Set(['RecyclingFailed', 'RecyclingTimeout', 'RecyclingRejected']);

/** It is deleted next, or kept until shutdownTime (domain 4.7, T32). */
export const recycleFailed: Rule<SandboxScene> = {
  code: 'RecycleFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => recycleFailures.has(condition(scene, 'Recycling')?.reason ?? ''),
  detail: (scene) => condition(scene, 'Recycling')?.message || condition(scene, 'Recycling')?.reason,
  evidence: (scene) => saidCondition(scene, 'Recycling'),
  steps: ({ more }) => (more ? [deleteSandbox(more)] : []),
  useless: () => [wait()],
};

/** The domain before the slash says whose it is; Kubernetes' own have none. */
const ownerOf = (finalizer: string): string =>
  finalizer.includes('/') ? finalizer.slice(0, finalizer.indexOf('/')) : 'Kubernetes';

/** Taken away by whoever set it: the controller does once the Pod is gone. By nobody when there is no controller. */
export const finalizerHeld: Rule<SandboxScene> = {
  code: 'FinalizerHeld',
  kind: 'wait',
  confidence: 'certain',
  applies: ({ facts }) => facts.finalizers.length > 0,
  detail: ({ facts }) => facts.finalizers.join(', '),
  evidence: ({ facts }) => [
    saidTime('Sandbox metadata.deletionTimestamp', facts.deleting),
    said('Sandbox metadata.finalizers', facts.finalizers.join(', ')),
  ],
  steps: ({ facts, more }) => {
    if (!more) return [];
    const { finalizers } = facts;
    const foreign = finalizers.filter((name) => ownerOf(name) !== 'agents.kruise.io');
    return [
      ...(foreign.length < finalizers.length ? [checkController()] : []),
      ...foreign.map((finalizer) => step('AskFinalizerOwner', { values: { finalizer, owner: ownerOf(finalizer) } })),
      patchStep('RemoveFinalizer', more, 'sandboxes', [{ op: 'remove', path: '/metadata/finalizers' }], {
        values: { finalizers: finalizers.join(', ') },
        loses: ['cleanUp'],
      }),
    ];
  },
  useless: ({ more }) => (more ? [deleteSandbox(more)] : []),
};

/** A delete sets the lock milliseconds before; one that stays makes a member that nobody gets (T16). */
export const lockLeft: Rule<SandboxScene> = {
  code: 'Locked',
  kind: 'wait',
  confidence: 'certain',
  applies: ({ facts }) => facts.idle && facts.locked && facts.deleting === undefined,
  evidence: ({ more }) =>
    ['lock', 'owner'].map((key) => {
      const name = `agents.kruise.io/${key}`;
      return said(`Sandbox metadata.annotations[${name}]`, more?.sandbox.metadata.annotations?.[name]);
    }),
  steps: ({ more }) =>
    more
      ? [
          patchStep('RemoveLock', more, 'sandboxes', [
            { op: 'remove', path: '/metadata/annotations/agents.kruise.io~1lock' },
          ]),
          deleteSandbox(more),
        ]
      : [],
};
