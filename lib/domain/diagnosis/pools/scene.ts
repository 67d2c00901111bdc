import type { EventRow, KubeObject } from '@/lib/contracts/objects';
import type { CauseCode, PoolRow, SandboxRow } from '@/lib/contracts/rows';
import { rolloutBudget } from '../../budget';
import type { LimitsInForce } from '../../limits';
import { type PoolIssue, type PoolIssueCode, type PoolStats, poolIssues, poolStats } from '../../pools';
import { said } from '../rule';
import type { Evidence } from '../verdict';

/** What a verdict on a pool is made from. Absent is "not known", null is "there is none". */
export interface PoolInput {
  pool: PoolRow;
  /** Its sandboxes, claimed ones included; absent when nobody listed them. */
  members?: readonly SandboxRow[];
  /** For conditions that a row does not have. */
  object?: KubeObject;
  /** Pods of members. */
  pods?: readonly KubeObject[];
  /** The SandboxTemplate that spec.templateRef names. */
  template?: KubeObject | null;
  /** SandboxTemplates of its namespace. */
  templates?: readonly KubeObject[];
  /** Of the pool, newest first. */
  events?: readonly EventRow[];
  /** All pools of the cluster. */
  pools?: readonly PoolRow[];
  /** PoolAutoscalers of its namespace. */
  autoscalers?: readonly KubeObject[];
  /** Epoch ms. */
  now: number;
  limits: LimitsInForce;
}

export interface PoolScene extends PoolInput {
  /** None where nobody listed them: rules that count find nothing then. */
  members: readonly SandboxRow[];
  stats: PoolStats;
  issues: PoolIssue[];
}

export function poolScene(input: PoolInput): PoolScene {
  const { members = [] } = input;
  const stats = poolStats(input.pool, members, input.now, input.limits);
  return { ...input, members, stats, issues: poolIssues(input.pool, stats, input.now, input.limits) };
}

/** An issue that is more than a remark. */
export const issue = ({ issues }: PoolScene, ...codes: PoolIssueCode[]): PoolIssue | undefined =>
  issues.find(({ code, severity }) => codes.includes(code) && severity !== 'calm');

export const budgetOf = ({ pool }: PoolScene): number => rolloutBudget(pool.updateMax, pool.desired);

/** What waiting does not heal, of a member in creation. */
const faults: ReadonlySet<CauseCode> = new Set([
  ...(['PodCreateFailed', 'Unschedulable', 'ImagePull', 'CrashLoop', 'StartContainerFailed'] as const),
  ...(['RuntimeInitFailed', 'NodeNotReady', 'InitImageMismatch'] as const),
]);

export const faultyMembers = ({ members }: PoolScene): SandboxRow[] =>
  members.filter(({ idle, cause }) => idle && cause !== undefined && faults.has(cause.code));

export const saidCounts = ({ pool, stats }: PoolScene): (Evidence | undefined)[] => [
  said('SandboxSet spec.replicas', pool.desired),
  said('counted: available', stats.available),
  said('counted: creating', stats.creating),
];
