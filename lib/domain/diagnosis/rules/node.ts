import { kubectlGet } from '../../kubectl';
import { type Rule, said, saidTime } from '../rule';
import type { SandboxScene } from '../scene';
import { deletePod, podLosses, type Step, step } from '../steps';

/** Nobody there starts a container, or reports on one: what its Pod says is of before, until the eviction some minutes later. */
const isAway = ({ pod, node }: SandboxScene): boolean =>
  pod?.node !== undefined && pod.deleting === undefined && node?.ready === false;

export function bringNodeBack({ pod }: SandboxScene): Step[] {
  if (!pod?.node) return [];
  const kubectl = [kubectlGet(undefined, 'node', pod.node, 'wide')];
  return [step('BringNodeBack', { values: { node: pod.node }, kubectl })];
}

/** Waits for what the kubelet would do, by one of these rules, while that does not answer (T3). */
export function nodeAwayWhile(...rules: Rule<SandboxScene>[]): Rule<SandboxScene> {
  return {
    code: 'NodeNotReady',
    kind: 'fault',
    confidence: 'certain',
    applies: (scene) => isAway(scene) && rules.some((rule) => rule.applies(scene)),
    detail: ({ pod }) => pod?.node,
    evidence: ({ pod, node }) => [
      said(`Node ${node?.name} status.conditions[Ready]`, 'not True'),
      said('Pod spec.nodeName', pod?.node),
      said('Pod status.phase', pod?.phase),
      said('Pod status.conditions[Ready].status', pod?.ready === undefined ? undefined : pod.ready ? 'True' : 'False'),
      saidTime('Pod status.conditions[PodScheduled].lastTransitionTime', pod?.scheduledAt),
      said('Pod waiting', pod?.waiting && `${pod.waiting.container}: ${pod.waiting.reason}`),
    ],
    steps: (scene) => {
      const { facts, pod, more } = scene;
      if (!more || !pod?.node) return [];
      const values = { node: pod.node };
      const bring = bringNodeBack(scene);
      // Where it ran already its Pod is its life: without it the sandbox has failed for good (T25).
      if (facts.phase === 'Running') return [...bring, ...(facts.idle ? [] : [step('MoveSession')])];
      const kubectl = [`${deletePod(more).kubectl[0]} --grace-period=0 --force`];
      return [...bring, step('ForceDeletePod', { values, kubectl, loses: podLosses })];
    },
    // A deletion that the kubelet would have to confirm only makes it wait for something else.
    useless: ({ more }) => (more ? [deletePod(more)] : []),
  };
}
