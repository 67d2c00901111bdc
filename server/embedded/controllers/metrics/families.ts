export type MetricType = 'gauge' | 'counter' | 'histogram';

export interface Family {
  type: MetricType;
  help: string;
  /** Upper bounds of a histogram. */
  buckets?: number[];
}

const doubling = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first * 2 ** i);
const tenfold = Array.from({ length: 12 }, (_, i) => 10 ** (i - 8));
const reconcileSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

const gauge = (help: string): Family => ({ type: 'gauge', help });
const counter = (help: string): Family => ({ type: 'counter', help });
const histogram = (help: string, buckets = doubling(0.02, 12)): Family => ({ type: 'histogram', help, buckets });

/** The metrics of agent-sandbox-controller at 0b72c83a, as far as something here can be measured. */
export const families: Record<string, Family> = {
  controller_runtime_active_workers: gauge('Number of currently used workers per controller'),
  controller_runtime_max_concurrent_reconciles: gauge('Maximum number of concurrent reconciles per controller'),
  controller_runtime_reconcile_errors_total: counter('Total number of reconciliation errors per controller'),
  controller_runtime_reconcile_panics_total: counter('Total number of reconciliation panics per controller'),
  controller_runtime_reconcile_time_seconds: histogram(
    'Length of time per reconciliation per controller',
    reconcileSeconds,
  ),
  controller_runtime_reconcile_total: counter('Total number of reconciliations per controller'),
  controller_runtime_terminal_reconcile_errors_total: counter(
    'Total number of terminal reconciliation errors per controller',
  ),
  process_cpu_seconds_total: counter('Total user and system CPU time spent in seconds.'),
  process_max_fds: gauge('Maximum number of open file descriptors.'),
  process_open_fds: gauge('Number of open file descriptors.'),
  process_resident_memory_bytes: gauge('Resident memory size in bytes.'),
  process_start_time_seconds: gauge('Start time of the process since unix epoch in seconds.'),
  process_virtual_memory_bytes: gauge('Virtual memory size in bytes.'),
  rest_client_requests_total: counter('Number of HTTP requests, partitioned by status code, method, and host.'),
  sandbox_claim_claimed_replicas: gauge('Current number of claimed replicas in the sandbox claim'),
  sandbox_claim_completion_time: gauge('Unix timestamp when the sandbox claim completed'),
  sandbox_claim_created: gauge('Unix creation timestamp of the sandbox claim'),
  sandbox_claim_desired_replicas: gauge('Desired number of replicas in the sandbox claim'),
  sandbox_claim_duration_seconds: histogram(
    'Duration of sandbox claim operations from start to completion in seconds',
    doubling(0.01, 10),
  ),
  sandbox_claim_info: gauge('Information about the sandbox claim'),
  sandbox_claim_start_time: gauge('Unix timestamp when the sandbox claim started claiming'),
  sandbox_claim_status_phase: gauge('The current phase of the sandbox claim (1 for active phase)'),
  sandbox_created: gauge('Unix creation timestamp of the sandbox'),
  sandbox_creation_duration_seconds: histogram('Duration from sandbox creation to Ready condition in seconds'),
  sandbox_creation_total: counter('Total number of sandbox creation operations'),
  sandbox_deletion_duration_seconds: histogram('Duration from sandbox deletion timestamp to actual removal in seconds'),
  sandbox_deletion_timestamp: gauge('Unix deletion timestamp of the sandbox'),
  sandbox_info: gauge('Information about the sandbox'),
  sandbox_inplace_update_duration_seconds: histogram(
    'Duration of in-place update operations from start to completion in seconds',
  ),
  sandbox_pause_duration_seconds: histogram('Duration of sandbox pause operations from start to completion in seconds'),
  sandbox_pause_total: counter('Total number of sandbox pause operations'),
  sandbox_recycle_duration_seconds: histogram(
    'Duration of sandbox recycle operations from start to success in seconds',
    doubling(0.1, 13),
  ),
  sandbox_recycle_total: counter('Total number of sandbox recycle operations'),
  sandbox_resume_duration_seconds: histogram(
    'Duration of sandbox resume operations from start to completion in seconds',
  ),
  sandbox_resume_total: counter('Total number of sandbox resume operations'),
  sandbox_runtime_container_abnormal: gauge('Whether a sidecar of the sandbox was restarted and is not ready'),
  sandbox_runtime_container_abnormal_time: gauge('Unix timestamp when a sidecar of the sandbox became abnormal'),
  sandbox_status_abnormal: gauge(
    'Whether the sandbox is in an abnormal state where phase and condition are inconsistent (1=abnormal, 0=normal)',
  ),
  sandbox_status_abnormal_time: gauge('Unix timestamp when the sandbox entered an abnormal state'),
  sandbox_status_inplace_updating: gauge(
    'Whether the sandbox InplaceUpdate condition is False (1 for False, 0 otherwise)',
  ),
  sandbox_status_inplace_updating_time: gauge(
    'Unix timestamp when the sandbox InplaceUpdate condition transitioned to False',
  ),
  sandbox_status_phase: gauge('The current phase of the sandbox (1 for active phase)'),
  sandbox_status_ready: gauge('Whether the sandbox is in Ready condition (1 for true, 0 for false)'),
  sandbox_status_ready_time: gauge('Unix timestamp when the sandbox last transitioned to Ready'),
  sandbox_status_unpaused: gauge('Whether the sandbox SandboxPaused condition is False (1 for False, 0 otherwise)'),
  sandbox_status_unpaused_time: gauge('Unix timestamp when the sandbox SandboxPaused condition transitioned to False'),
  sandbox_status_unresumed: gauge('Whether the sandbox SandboxResumed condition is False (1 for False, 0 otherwise)'),
  sandbox_status_unresumed_time: gauge(
    'Unix timestamp when the sandbox SandboxResumed condition transitioned to False',
  ),
  sandboxclaim_expired_total: counter('Total number of SandboxClaims deleted after their TTL'),
  sandboxset_available_replicas: gauge('Current number of available replicas in the SandboxSet'),
  sandboxset_claims_total: counter('Total number of times a SandboxSet has been claimed by SandboxClaims'),
  sandboxset_created: gauge('Unix creation timestamp of the SandboxSet'),
  sandboxset_desired_replicas: gauge('Desired number of replicas in the SandboxSet'),
  sandboxset_replicas: gauge('Current number of replicas in the SandboxSet'),
  sandboxset_sandboxes_claimed_total: counter('Cumulative number of Sandboxes claimed from the SandboxSet'),
  sandboxset_sandboxes_created_total: counter('Cumulative number of Sandboxes successfully created by the SandboxSet'),
  sandboxset_updated_available_replicas: gauge('Number of updated available replicas in the SandboxSet'),
  sandboxset_updated_replicas: gauge('Number of updated replicas in the SandboxSet'),
  workqueue_adds_total: counter('Total number of adds handled by workqueue'),
  workqueue_depth: gauge('Current depth of workqueue'),
  workqueue_longest_running_processor_seconds: gauge(
    'How many seconds has the longest running processor for workqueue been running.',
  ),
  workqueue_queue_duration_seconds: histogram(
    'How long in seconds an item stays in workqueue before being requested',
    tenfold,
  ),
  workqueue_retries_total: counter('Total number of retries handled by workqueue'),
  workqueue_unfinished_work_seconds: gauge(
    "How many seconds of work has been done that is in progress and hasn't been observed by work_duration.",
  ),
  workqueue_work_duration_seconds: histogram('How long in seconds processing an item from workqueue takes.', tenfold),
};
