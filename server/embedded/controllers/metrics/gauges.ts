import type { Sandbox } from '../client/objects';
import type { Cluster } from '../cluster';
import { findCondition, timestamp } from '../rules/conditions';
import { label } from '../rules/keys';
import { isReady } from '../rules/state';
import type { Labels, Metrics } from './registry';
import type { Times } from './transitions';

const gauges = (prefix: string, names: string[]): string[] => names.map((name) => `${prefix}_${name}`);
const mirrored = [
  ...gauges('sandbox', ['info', 'created', 'deletion_timestamp']),
  ...gauges('sandbox_status', ['phase', 'ready', 'ready_time', 'abnormal', 'abnormal_time', 'inplace_updating']),
  ...gauges('sandbox_runtime_container', ['abnormal', 'abnormal_time']),
  ...gauges('sandbox_status', ['inplace_updating_time', 'unpaused', 'unpaused_time', 'unresumed', 'unresumed_time']),
  ...gauges('sandboxset', ['replicas', 'available_replicas', 'desired_replicas', 'created']),
  ...gauges('sandboxset', ['updated_replicas', 'updated_available_replicas']),
  ...gauges('sandbox_claim', ['info', 'created', 'start_time', 'completion_time', 'status_phase']),
  ...gauges('sandbox_claim', ['claimed_replicas', 'desired_replicas']),
];

const runtimeContainers = new Set(['agent-runtime', 'csi-sidecar', 'csi-agent-sidecar', 'istio-proxy']);

const seconds = (time: string | null | undefined): number => Math.floor(Date.parse(time ?? '') / 1000);

/** What mirrors the objects, set anew from the local copies. */
export function setGauges(metrics: Metrics, cluster: Cluster, times: ReadonlyMap<string, Times>): void {
  metrics.clear(mirrored);
  for (const sandbox of cluster.sandboxes.list())
    sandboxGauges(metrics, cluster, sandbox, times.get(sandbox.metadata.uid));
  for (const { metadata, spec, status } of cluster.sandboxSets.list()) {
    const labels = { namespace: metadata.namespace ?? '', name: metadata.name };
    metrics.set('sandboxset_created', labels, seconds(metadata.creationTimestamp));
    metrics.set('sandboxset_desired_replicas', labels, spec.replicas ?? 0);
    metrics.set('sandboxset_replicas', labels, status?.replicas ?? 0);
    metrics.set('sandboxset_available_replicas', labels, status?.availableReplicas ?? 0);
    metrics.set('sandboxset_updated_replicas', labels, status?.updatedReplicas ?? 0);
    metrics.set('sandboxset_updated_available_replicas', labels, status?.updatedAvailableReplicas ?? 0);
  }
  for (const { metadata, spec, status } of cluster.claims.list()) {
    const labels = { namespace: metadata.namespace ?? '', name: metadata.name, source: 'k8s' };
    metrics.set('sandbox_claim_info', { ...labels, template_name: spec.templateName, uid: metadata.uid }, 1);
    metrics.set('sandbox_claim_created', labels, seconds(metadata.creationTimestamp));
    metrics.set('sandbox_claim_desired_replicas', labels, spec.replicas ?? 1);
    metrics.set('sandbox_claim_claimed_replicas', labels, status?.claimedReplicas ?? 0);
    if (status?.claimStartTime) metrics.set('sandbox_claim_start_time', labels, seconds(status.claimStartTime));
    if (status?.completionTime) metrics.set('sandbox_claim_completion_time', labels, seconds(status.completionTime));
    if (status?.phase) metrics.set('sandbox_claim_status_phase', { ...labels, phase: status.phase }, 1);
  }
}

function sandboxGauges(metrics: Metrics, cluster: Cluster, sandbox: Sandbox, times: Times | undefined): void {
  const { metadata, status } = sandbox;
  const labels: Labels = { namespace: metadata.namespace ?? '', name: metadata.name };
  const pool = {
    sandbox_pool: metadata.labels?.[label.pool] ?? '',
    sandbox_template: metadata.labels?.[label.template] ?? '',
  };
  // The first one stays when the node is known: two series a sandbox, which double what is joined with them.
  for (const node of new Set(['', status?.nodeName ?? '']))
    metrics.set('sandbox_info', { ...labels, ...pool, node }, 1);
  metrics.set('sandbox_created', labels, seconds(metadata.creationTimestamp));
  if (metadata.deletionTimestamp !== undefined)
    metrics.set('sandbox_deletion_timestamp', labels, seconds(metadata.deletionTimestamp));
  const phase = status?.phase;
  if (phase) metrics.set('sandbox_status_phase', { ...labels, phase }, 1);
  if (findCondition(status?.conditions, 'Ready') !== undefined)
    metrics.set('sandbox_status_ready', labels, isReady(sandbox) ? 1 : 0);
  if (times?.ready !== undefined) metrics.set('sandbox_status_ready_time', labels, times.ready);
  const isFalse = (type: string) => (findCondition(status?.conditions, type)?.status === 'False' ? 1 : 0);
  metrics.set('sandbox_status_inplace_updating', labels, isFalse('InplaceUpdate'));
  metrics.set('sandbox_status_unpaused', labels, isFalse('SandboxPaused'));
  metrics.set('sandbox_status_unresumed', labels, isFalse('SandboxResumed'));
  if (times?.updating !== undefined) metrics.set('sandbox_status_inplace_updating_time', labels, times.updating);
  if (times?.unpaused !== undefined) metrics.set('sandbox_status_unpaused_time', labels, times.unpaused);
  if (times?.unresumed !== undefined) metrics.set('sandbox_status_unresumed_time', labels, times.unresumed);
  const incomplete = { Paused: 'SandboxPaused', Resuming: 'SandboxResumed' }[phase ?? ''];
  const condition = findCondition(status?.conditions, incomplete ?? '');
  if (incomplete !== undefined && condition?.status !== 'True') {
    const type = phase === 'Paused' ? 'pause_incomplete' : 'resume_incomplete';
    metrics.set('sandbox_status_abnormal', { ...labels, type }, 1);
    metrics.set(
      'sandbox_status_abnormal_time',
      { ...labels, type },
      seconds(condition?.lastTransitionTime ?? timestamp()),
    );
  }
  const pod = cluster.pods.get(`${metadata.namespace}/${metadata.name}`);
  for (const { name, restartCount = 0, ready, state } of pod?.status?.initContainerStatuses ?? [])
    if (runtimeContainers.has(name) && restartCount > 0 && ready !== true) {
      const since = state?.terminated?.finishedAt ?? timestamp();
      metrics.set('sandbox_runtime_container_abnormal', { ...labels, container: name }, 1);
      metrics.set('sandbox_runtime_container_abnormal_time', { ...labels, container: name }, seconds(since));
    }
}
