import 'server-only';
import type { PlanProblem } from '@/lib/contracts/upgrade-preview';
import type { ChosenSandbox, UpgradeDraft } from '@/lib/contracts/upgrades';
import { redactText } from '@/lib/domain/redact';
import { faultLine } from '@/lib/domain/upgrades/patch-fault';
import { selectorText } from '@/lib/domain/upgrades/selectors';
import { ok, type Result, refuse } from '../result';
import type { Plan } from './plan';

/** These the API server refuses itself, and says so better; it is asked before anything is written. */
const serverSays: ReadonlySet<PlanProblem['code']> = new Set(['nameTaken', 'namespaceLocked', 'imageWithCheckpoint']);
const shownNames = 20;

const listed = (names: readonly string[]) =>
  names.length > shownNames ? `${names.slice(0, shownNames).join(', ')}, …` : names.join(', ') || 'none';

/** Whether the operation would take nothing but what the person saw, and can come to an end. */
export function checkTargets(plan: Plan, draft: UpgradeDraft, frozen: readonly ChosenSandbox[]): Result<void> {
  const { targets, strays, selector } = plan.classified;
  const nothing = plan.problems.some(({ code }) => code === 'nothingMatches');
  if (nothing) {
    return refuse(
      'precondition_failed',
      'nothingMatches',
      { selector: selector ? selectorText(selector) : 'none', namespace: draft.namespace },
      { applied: 'no' },
    );
  }
  const stops = refusePlan(plan.problems.filter(({ code }) => !serverSays.has(code)));
  if (!stops.ok) return stops;
  if (strays.length > 0)
    return stop(
      'strays',
      strays.map(({ name }) => name),
    );
  const [seen, now] = [frozen, targets].map((each) => new Set(each.map(({ uid }) => uid)));
  const added = targets.filter(({ uid }) => !seen?.has(uid)).map(({ name }) => name);
  const missing = frozen.filter(({ uid }) => !now?.has(uid)).map(({ name }) => name);
  if (added.length === 0) return ok(undefined);
  return refuse(
    'conflict',
    'targetsChanged',
    { added: added.length, missing: missing.length, names: listed([...added, ...missing]) },
    { applied: 'no' },
  );
}

/** Refuses for the first problem that stops the plan. */
export function refusePlan(problems: readonly PlanProblem[]): Result<void> {
  const problem = problems.find(({ weight }) => weight === 'stops');
  return problem ? stop(problem.code, problem.names, wordsOf(problem)) : ok(undefined);
}

const wordsOf = ({ detail, faults = [] }: PlanProblem): string[] =>
  detail === undefined ? faults.map(faultLine) : [detail];

function stop(why: string, names: readonly string[], words: readonly string[] = []): Result<never> {
  const fields = words.map((message) => ({ field: 'spec.patch', message: redactText(message) }));
  const more = fields.length === 0 ? {} : { fields };
  return refuse('validation', 'planStops', { why, names: listed(names) }, { applied: 'no', ...more });
}
