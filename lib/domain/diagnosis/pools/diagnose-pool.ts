import { record } from '../../read';
import type { Severity } from '../../severity';
import { conditionsOf } from '../read-sandbox';
import type { Rule } from '../rule';
import type { UnknownValue, Verdict } from '../verdict';
import { absent, verdictOf } from '../verdict-of';
import { type PoolInput, type PoolScene, poolScene } from './scene';
import * as shape from './shape';
import * as stock from './stock';
import * as edits from './template-edits';

/** What makes all else follow comes first; the same order is the order of hints. */
export const poolRules: readonly Rule<PoolScene>[] = [
  shape.poolNoTemplate,
  shape.poolTemplateMissing,
  shape.poolNameTooLong,
  stock.poolRolloutBlocked,
  stock.poolRolloutStarved,
  shape.poolScalingLimited,
  stock.poolThrottled,
  stock.poolShort,
  shape.poolTemplateNotRolled,
  stock.poolLocked,
  shape.poolNotSeen,
  shape.poolNotSeenYet,
  stock.poolBelowBudget,
  stock.poolSurplus,
  stock.poolWouldStrand,
  stock.poolMayStrand,
  edits.poolContainerWiped,
  edits.poolTokenForced,
  shape.poolAutoscaled,
  shape.poolNameTwice,
];

/** The verdict on a SandboxSet. */
export function diagnosePool(input: PoolInput): Verdict {
  const scene = poolScene(input);
  const { pool, now } = input;
  const { belowSince } = pool;
  return verdictOf({
    subject: { kind: 'SandboxSet', ns: pool.ns, name: pool.name, uid: pool.uid },
    state: stateOf(scene, input.members !== undefined),
    rules: pool.deleting === undefined ? poolRules : [],
    scene,
    ...(belowSince === undefined ? {} : { since: { at: belowSince, clock: 'observed' as const } }),
    now,
    severityOf: (cause) => severityOf(scene, cause.code),
    missing: absent({
      Events: input.events,
      Sandboxes: input.members,
      Pods: pool.templateRef === undefined ? null : input.pods,
      SandboxTemplate: pool.templateRef === undefined ? null : input.template,
    }),
    unknown: unknownConditions(input.object),
  });
}

/** As counted, or, where nobody listed its sandboxes, as the pool itself says. */
function stateOf({ pool, stats }: PoolScene, counted: boolean): string {
  if (pool.deleting !== undefined) return 'Terminating';
  return `${counted ? stats.available : (pool.available ?? '?')}/${pool.desired}`;
}

/** As the lists judge it; what only a verdict finds is amber, except what never makes a sandbox. */
function severityOf({ issues }: PoolScene, code: string): Severity {
  if (code === 'PoolTemplateMissing') return 'breach';
  const named = issues.find((issue) => `Pool${issue.code}` === code);
  if (named) return named.severity;
  const short = issues.find((issue) => issue.code === 'BelowTarget' || issue.code === 'Empty');
  return short && (code === 'PoolShort' || code === 'PoolThrottled') ? short.severity : 'warn';
}

/** The snapshot this console knows writes no condition of a pool, newer versions one. */
function unknownConditions(object: unknown): UnknownValue[] {
  return Object.entries(conditionsOf(record(record(object).status).conditions)).flatMap(([type, { status }]) =>
    type === 'ScalingLimited' ? [] : [{ path: `SandboxSet status.conditions[${type}]`, value: status }],
  );
}
