import { list, record, text } from '../../read';
import { isImageReason, isStartReason } from '../../waiting-reasons';
import { type Rule, said } from '../rule';
import { condition, isWaking, type SandboxScene, saidCondition } from '../scene';
import { deletePod, describePod, logs, type Step, step, wait } from '../steps';
import { shortDigest } from './images';

/** Useless as long as it is waking up; of one that never was paused it is no step at all. */
export const pauseAgain = (scene: SandboxScene): Step[] => (isWaking(scene) ? [step('PauseAgain')] : []);

const waitingLine = ({ pod }: SandboxScene): string | undefined =>
  pod?.waiting &&
  `${pod.waiting.container}: ${pod.waiting.reason}${pod.waiting.message ? ` - ${pod.waiting.message}` : ''}`;

const saidWaiting = ({ pod }: SandboxScene) => {
  if (!pod?.waiting) return [];
  const path = `Pod status.${pod.waiting.init ? 'initContainerStatuses' : 'containerStatuses'}[${pod.waiting.container}].state.waiting`;
  return [
    said(`${path}.reason`, pod.waiting.reason),
    said(`${path}.message`, pod.waiting.message),
    said('Pod spec.nodeName', pod.node),
  ];
};

/** In no condition and no event of the sandbox (T3, T9, T17). */
export const unschedulable: Rule<SandboxScene> = {
  code: 'Unschedulable',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ pod }) => pod?.scheduled === false,
  detail: ({ pod }) => pod?.unschedulable,
  evidence: ({ pod }) => [
    said('Pod status.conditions[PodScheduled].status', 'False'),
    said('Pod status.conditions[PodScheduled].message', pod?.unschedulable),
  ],
  steps: ({ more }) => (more ? [step('FixScheduling'), describePod(more)] : []),
  useless: (scene) => (scene.more ? [deletePod(scene.more), ...pauseAgain(scene)] : []),
};

export const imagePull: Rule<SandboxScene> = {
  code: 'ImagePull',
  kind: 'fault',
  confidence: 'certain',
  applies: ({ pod }) => pod?.waiting !== undefined && isImageReason(pod.waiting.reason),
  detail: waitingLine,
  image: ({ pod }) => pod?.waiting?.image && shortDigest(pod.waiting.image),
  evidence: saidWaiting,
  steps: ({ pod, more }) =>
    more ? [step('FixImage', { values: { container: pod?.waiting?.container ?? '' } }), describePod(more)] : [],
  useless: ({ more }) => (more ? [deletePod(more)] : []),
};

/** What may have failed: the container that the Pod or the condition names, else those of the template. */
function failedContainers(scene: SandboxScene): string[] {
  const { pod, more } = scene;
  const named = pod?.waiting?.container || condition(scene, 'Ready')?.message?.match(/\bcontainer=([\w.-]+)/)?.[1];
  if (named) return [named];
  const { spec } = record(record(more?.sandbox.spec).template);
  return list(record(spec).containers).flatMap((each) => text(record(each).name) ?? []);
}

const readLogs = (scene: SandboxScene) => {
  const { more } = scene;
  if (!more) return [];
  const names = failedContainers(scene);
  const kubectl = names.map((name) => logs(more, name, '--previous'));
  const read = names.length > 0 ? [step('ReadLogs', { values: { container: names.join(', ') }, kubectl })] : [];
  return [...read, describePod(more)];
};

/** Recorded with CrashLoopBackOff only, never during a normal start (T31); it stays until the sandbox is Ready. */
function conditionCode(scene: SandboxScene): 'CrashLoop' | 'StartContainerFailed' | undefined {
  const ready = condition(scene, 'Ready');
  const { pod } = scene;
  if (scene.state !== 'NotReady' || ready?.reason !== 'StartContainerFailed') return undefined;
  // The Pod itself says more as long as a container waits or none has run.
  if (pod && (pod.waiting !== undefined || pod.phase !== 'Running')) return undefined;
  return /back-off .*restarting/i.test(ready.message ?? '') ? 'CrashLoop' : 'StartContainerFailed';
}

export const saysStartFailure = (scene: SandboxScene): boolean => conditionCode(scene) !== undefined;

export const crashLoop: Rule<SandboxScene> = {
  code: 'CrashLoop',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => scene.pod?.waiting?.reason === 'CrashLoopBackOff' || conditionCode(scene) === 'CrashLoop',
  detail: (scene) => waitingLine(scene) ?? condition(scene, 'Ready')?.message,
  evidence: (scene) => [
    ...saidWaiting(scene),
    ...(conditionCode(scene) ? saidCondition(scene, 'Ready') : []),
    said('Pod restarts', scene.pod?.restarts),
  ],
  steps: readLogs,
  useless: (scene) => (scene.more ? [deletePod(scene.more), ...pauseAgain(scene)] : []),
};

export const startContainerFailed: Rule<SandboxScene> = {
  code: 'StartContainerFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) =>
    (scene.pod?.waiting !== undefined && !isStartReason(scene.pod.waiting.reason)) ||
    conditionCode(scene) === 'StartContainerFailed',
  detail: (scene) => waitingLine(scene) ?? condition(scene, 'Ready')?.message,
  evidence: (scene) => [...saidWaiting(scene), ...(conditionCode(scene) ? saidCondition(scene, 'Ready') : [])],
  steps: readLogs,
};

const starting = (applies: Rule<SandboxScene>['applies'], path: string): Rule<SandboxScene> => ({
  code: 'ContainersStarting',
  kind: 'wait',
  confidence: 'certain',
  applies,
  evidence: ({ pod }) => [said('Pod status.phase', pod?.phase), said(path, pod?.ready)],
  steps: ({ more }) => (more ? [wait(), describePod(more)] : []),
});

export const podNotRunning = starting(({ pod }) => pod !== undefined && pod.phase !== 'Running', 'Pod Ready');
/** Readiness is asked of the Pod after the gate of a resume, which does not look at it (domain 4.5). */
export const podNotReady = starting(
  ({ pod }) => pod !== undefined && !pod.ready,
  'Pod status.conditions[Ready].status',
);
