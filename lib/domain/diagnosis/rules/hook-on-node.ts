import type { Rule } from '../rule';
import { condition, type SandboxScene } from '../scene';
import { bringNodeBack, nodeAwayWhile } from './node';
import { nodeNotReady } from './pod';
import { hookFailed } from './upgrade';

/** Not reached, or without an answer: it may not even have begun. One that ended has an exit code (domain 4.6). */
const hookWithoutAnswer: Rule<SandboxScene> = {
  ...hookFailed,
  applies: (scene) =>
    hookFailed.applies(scene) && (condition(scene, 'Upgrading')?.message?.startsWith('hook execution error:') ?? false),
};

/** Hooks run in the Pod: on a node that does not answer nobody does. Without its Pod it would fail for that, so that stays. */
const onNodeAway = (away: Rule<SandboxScene>): Rule<SandboxScene> => ({
  ...away,
  confidence: 'likely',
  applies: (scene) => hookWithoutAnswer.applies(scene) && away.applies(scene),
  evidence: (scene) => [...away.evidence(scene), ...hookFailed.evidence(scene)],
  steps: (scene) => [...bringNodeBack(scene), ...hookFailed.steps(scene)],
});
export const hookOnNodeAway = [onNodeAway(nodeAwayWhile(hookWithoutAnswer)), onNodeAway(nodeNotReady)];
