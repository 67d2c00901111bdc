import type { Condition, Sandbox } from '../client/objects';
import type { Cluster } from '../cluster';
import { findCondition } from '../rules/conditions';
import { label } from '../rules/keys';
import { isReady, poolOwner } from '../rules/state';
import type { Metrics } from './registry';

/** When a sandbox's conditions last turned, in whole epoch seconds: kept while they are something else. */
export interface Times {
  ready?: number;
  unpaused?: number;
  unresumed?: number;
  updating?: number;
}

const secondsSince = (time: string | null | undefined): number =>
  Math.max(0, (Date.now() - Date.parse(time ?? '')) / 1000);
const whole = (time: string | null | undefined): number => Math.floor(Date.parse(time ?? '') / 1000);

/**
 * Counts and measures what happens to the objects of the cluster from now on. `restart` does so anew, with the times of what is
 * there.
 */
export function countTransitions(
  metrics: Metrics,
  cluster: Cluster,
): { times: ReadonlyMap<string, Times>; restart(): void } {
  const times = new Map<string, Times>();
  const seen = { ready: new Set<string>(), failed: new Set<string>() };
  let begun = false;
  cluster.sandboxes.synced.then(() => {
    begun = true;
  });
  cluster.sandboxes.onChange((before, after) => {
    if (after !== undefined) times.set(after.metadata.uid, { ...times.get(after.metadata.uid), ...timesOf(after) });
    else if (before !== undefined) times.delete(before.metadata.uid);
    // What the first list shows has not happened now, but a controller counts what it sees ready or failed for the first time.
    if (begun) countPool(metrics, before, after);
    countSandbox(metrics, before, after, seen);
  });
  cluster.claims.onChange((before, after) => {
    const { namespace = '' } = (after ?? before)?.metadata ?? {};
    const { phase, claimStartTime, completionTime } = after?.status ?? {};
    if (before === undefined || before.status?.phase === phase || phase !== 'Completed') return;
    if (!claimStartTime || !completionTime) return;
    const took = whole(completionTime) - whole(claimStartTime);
    metrics.observe('sandbox_claim_duration_seconds', { namespace, source: 'k8s' }, took);
  });
  const restart = () => {
    times.clear();
    seen.ready.clear();
    seen.failed.clear();
    for (const sandbox of cluster.sandboxes.list()) {
      times.set(sandbox.metadata.uid, timesOf(sandbox));
      countSandbox(metrics, undefined, sandbox, seen);
    }
  };
  return { times, restart };
}

function timesOf({ status }: Sandbox): Times {
  const at = (type: string, wanted: string) => {
    const condition = findCondition(status?.conditions, type);
    return condition?.status === wanted ? whole(condition.lastTransitionTime) : undefined;
  };
  const ready = at('Ready', 'True');
  const unpaused = at('SandboxPaused', 'False');
  const unresumed = at('SandboxResumed', 'False');
  const updating = at('InplaceUpdate', 'False');
  return {
    ...(ready === undefined ? {} : { ready }),
    ...(unpaused === undefined ? {} : { unpaused }),
    ...(unresumed === undefined ? {} : { unresumed }),
    ...(updating === undefined ? {} : { updating }),
  };
}

function countSandbox(
  metrics: Metrics,
  before: Sandbox | undefined,
  after: Sandbox | undefined,
  seen: Record<'ready' | 'failed', Set<string>>,
): void {
  const sandbox = after ?? before;
  if (sandbox === undefined) return;
  const { namespace = '', uid } = sandbox.metadata;
  const k8s = { namespace, source: 'k8s' };
  if (after === undefined) {
    seen.ready.delete(uid);
    seen.failed.delete(uid);
    const mark = sandbox.metadata.deletionTimestamp;
    if (mark !== undefined) metrics.observe('sandbox_deletion_duration_seconds', k8s, secondsSince(mark));
    return;
  }
  if (isReady(after) && !seen.ready.has(uid)) {
    seen.ready.add(uid);
    const created = whole(after.metadata.creationTimestamp);
    const ready = whole(findCondition(after.status?.conditions, 'Ready')?.lastTransitionTime);
    metrics.observe('sandbox_creation_duration_seconds', k8s, ready - created);
    metrics.add('sandbox_creation_total', { ...k8s, result: 'success' });
  }
  if (after.status?.phase === 'Failed' && !seen.failed.has(uid)) {
    seen.failed.add(uid);
    metrics.add('sandbox_creation_total', { ...k8s, result: 'failure' });
  }
  const turned = (type: string) => turn(before, after, type);
  const pause = turned('SandboxPaused');
  if (pause !== undefined) completed(metrics, pause, 'sandbox_pause', k8s);
  const resume = turned('SandboxResumed');
  if (resume !== undefined) completed(metrics, resume, 'sandbox_resume', k8s);
  const inPlace = turned('InplaceUpdate');
  if (inPlace !== undefined) completed(metrics, inPlace, 'sandbox_inplace_update', { namespace });
  countRecycling(metrics, before, after, k8s);
}

function countPool(metrics: Metrics, before: Sandbox | undefined, after: Sandbox | undefined): void {
  const sandbox = before ?? after;
  const owner = sandbox === undefined ? undefined : poolOwner(sandbox);
  if (owner === undefined || after === undefined) return;
  const { namespace = '' } = after.metadata;
  const labels = { namespace, name: owner.name };
  if (before === undefined) metrics.add('sandboxset_sandboxes_created_total', labels);
  // Only what a SandboxClaim takes: the manager's own claims carry no name of one.
  else if (poolOwner(after) === undefined && after.metadata.labels?.[label.claimName] !== undefined)
    metrics.add('sandboxset_sandboxes_claimed_total', { ...labels, source: 'k8s' });
}

/** A condition that came up, or became True; `since` when it was False before. */
function turn(before: Sandbox | undefined, after: Sandbox, type: string): { since?: string } | undefined {
  const [old, now] = [before, after].map((one) => findCondition(one?.status?.conditions, type)) as (
    | Condition
    | undefined
  )[];
  if (now === undefined || now.status === old?.status) return undefined;
  return now.status === 'True' && old?.status === 'False' ? { since: old.lastTransitionTime ?? '' } : {};
}

/** The series are there from the beginning of the first one on. */
function completed(
  metrics: Metrics,
  { since }: { since?: string },
  name: string,
  labels: Record<string, string>,
): void {
  const duration = `${name}_duration_seconds`;
  metrics.begin(duration, labels);
  if (name !== 'sandbox_inplace_update')
    metrics.add(`${name}_total`, { ...labels, result: 'success' }, since === undefined ? 0 : 1);
  if (since !== undefined) metrics.observe(duration, labels, secondsSince(since));
}

function countRecycling(
  metrics: Metrics,
  before: Sandbox | undefined,
  after: Sandbox,
  labels: Record<string, string>,
): void {
  const [old, now] = [before, after].map((one) => findCondition(one?.status?.conditions, 'Recycling'));
  if (now?.reason === undefined || now.reason === old?.reason) return;
  const result = { RecyclingSucceeded: 'success', RecyclingFailed: 'failed', RecyclingTimeout: 'timeout' }[now.reason];
  if (result === undefined) return;
  metrics.add('sandbox_recycle_total', { ...labels, result });
  if (result === 'success')
    metrics.observe('sandbox_recycle_duration_seconds', labels, secondsSince(old?.lastTransitionTime));
}
