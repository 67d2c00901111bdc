import type { PlanProblem } from '@/lib/contracts/upgrade-preview';

const shownNames = 20;

/** A problem that names the first of what it is about and counts all. */
export function planProblem(
  code: PlanProblem['code'],
  weight: PlanProblem['weight'],
  names: readonly string[] = [],
  more: Pick<PlanProblem, 'detail' | 'faults'> = {},
): PlanProblem {
  return { code, weight, names: names.slice(0, shownNames), count: names.length, ...more };
}
