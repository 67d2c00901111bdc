import { type Rule, said } from '../rule';
import { condition, type SandboxScene, saidCondition } from '../scene';
import { deleteSandbox, describePod, logs, pauseThenResume, step, wait } from '../steps';

const initReason = (scene: SandboxScene): string | undefined => condition(scene, 'RuntimeInitialized')?.reason;

/** Retried with back-off; until it succeeds the sandbox is not Ready (T4). */
export const runtimeInitFailed: Rule<SandboxScene> = {
  code: 'RuntimeInitFailed',
  kind: 'fault',
  confidence: 'certain',
  applies: (scene) => initReason(scene) === 'Failed',
  detail: (scene) => condition(scene, 'RuntimeInitialized')?.message,
  evidence: (scene) => saidCondition(scene, 'RuntimeInitialized'),
  steps: ({ more }) =>
    more
      ? [step('CheckRuntime', { kubectl: [logs(more, 'agent-runtime')] }), pauseThenResume(more), deleteSandbox(more)]
      : [],
};

export const runtimeInitPending: Rule<SandboxScene> = {
  code: 'RuntimeInitPending',
  kind: 'wait',
  confidence: 'certain',
  applies: () => true,
  evidence: (scene) => [
    ...saidCondition(scene, 'RuntimeInitialized'),
    said('Pod status.conditions[Ready].status', scene.pod?.ready),
  ],
  steps: ({ more }) => (more ? [wait(), describePod(more)] : []),
};
