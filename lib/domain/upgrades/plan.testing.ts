import { type PlanInput, planProblems } from './plan-problems';
import { readSandbox } from './sandbox-reading';
import { type ClassifyInput, classifyTargets } from './targets';

/** Whole Sandboxes and plans for tests, with what a test does not care about filled in. */

export const app = (image = 'a:1', more: object = {}) => ({ spec: { containers: [{ name: 'app', image, ...more }] } });
export const patch = app('a:2');

export interface Box {
  name: string;
  labels?: Record<string, string>;
  spec?: object;
  status?: object;
  metadata?: object;
}

export function box({ name, labels = {}, spec = {}, status = {}, metadata = {} }: Box) {
  return {
    metadata: { name, uid: `uid-${name}`, generation: 2, labels: { team: 'a', ...labels }, ...metadata },
    spec: { template: app(), ...spec },
    status: { phase: 'Running', observedGeneration: 2, ...status },
  };
}
export const failed = (reason: string) => ({
  phase: 'Upgrading',
  conditions: [{ type: 'Upgrading', status: 'False', reason }],
});

export const byTeam: ClassifyInput['draft'] = {
  targets: { by: 'labels', selector: { matchLabels: { team: 'a' } } },
  states: ['Running'],
  strategy: 'Recreate',
  name: 'up',
};
const readings = (sandboxes: readonly object[]) => sandboxes.flatMap((object) => readSandbox(object) ?? []);
export const classify = (sandboxes: object[], more: Partial<ClassifyInput> = {}) =>
  classifyTargets({ sandboxes: readings(sandboxes), operations: [], draft: byTeam, patch, ...more });
export const problemsOf = (sandboxes: object[], more: Partial<ClassifyInput> = {}, plan: Partial<PlanInput> = {}) => {
  const input = { sandboxes: readings(sandboxes), operations: [], draft: byTeam, patch, ...more };
  const draft = {
    ...input.draft,
    change: input.patch ? { by: 'patch' as const, patch: input.patch } : { by: 'none' as const },
  };
  return planProblems({ ...input, draft, classified: classifyTargets(input), checkpoints: 'answered', ...plan });
};
export const codesOf = (...input: Parameters<typeof problemsOf>) =>
  problemsOf(...input).map(({ code, weight }) => `${code} ${weight}`);
