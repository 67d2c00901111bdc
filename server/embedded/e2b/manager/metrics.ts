import { type Family, families as ofControllers } from '../../controllers/metrics/families';
import { measureProcess } from '../../controllers/metrics/process';
import { Metrics } from '../../controllers/metrics/registry';

const source = 'e2b';
const seconds = Array.from({ length: 12 }, (_, i) => 0.02 * 2 ** i);

const counter = (help: string): Family => ({ type: 'counter', help });
const histogram = (help: string, buckets = seconds): Family => ({ type: 'histogram', help, buckets });

/** The metrics of sandbox-manager at 0b72c83a, as far as something here can be measured. */
const families: Record<string, Family> = {
  ...Object.fromEntries(Object.entries(ofControllers).filter(([name]) => name.startsWith('process_'))),
  sandbox_claim_creation_responses: counter('Total number of answers to requests for a sandbox'),
  sandbox_claim_duration_seconds: histogram('Duration of sandbox claims in seconds'),
  sandbox_claim_retries: histogram(
    'Number of retries of a sandbox claim',
    Array.from({ length: 11 }, (_, i) => i),
  ),
  sandbox_claim_total: counter('Total number of sandbox claims, by how the sandbox was taken'),
  sandbox_delete_duration_seconds: histogram('Duration of sandbox deletions in seconds'),
  sandbox_delete_responses: counter('Total number of answers to requests to delete a sandbox'),
  sandbox_pause_duration_seconds: histogram('Duration of sandbox pauses in seconds'),
  sandbox_pause_responses: counter('Total number of answers to requests to pause a sandbox'),
  sandbox_peers: { type: 'gauge', help: 'Number of other sandbox-managers' },
  sandbox_resume_duration_seconds: histogram('Duration of sandbox resumes in seconds'),
  sandbox_resume_responses: counter('Total number of answers to requests to resume a sandbox'),
  sandbox_routes: { type: 'gauge', help: 'Number of sandboxes that requests are routed to' },
  sandbox_snapshot_total: counter('Total number of snapshots'),
};

/** `create`: it was made for the claim; `update`: taken from a pool. */
export type LockType = 'create' | 'update';

export class ManagerMetrics {
  readonly #metrics = new Metrics(families);
  readonly #startedMs = Date.now();

  claimed(namespace: string, lockType: LockType, retries: number, sinceMs: number): void {
    const labels = { namespace, source };
    this.#metrics.add('sandbox_claim_creation_responses', { ...labels, result: 'success' });
    this.#metrics.add('sandbox_claim_total', { ...labels, result: 'success', lock_type: lockType });
    this.#metrics.observe('sandbox_claim_duration_seconds', labels, (Date.now() - sinceMs) / 1000);
    this.#metrics.observe('sandbox_claim_retries', labels, retries);
  }

  /** Of a claim that failed it is not known where it would have been. */
  claimFailed(): void {
    const labels = { namespace: '', source, result: 'failure' };
    this.#metrics.add('sandbox_claim_creation_responses', labels);
    this.#metrics.add('sandbox_claim_total', { ...labels, lock_type: 'unknown' });
  }

  /** Counts what `work` comes to, and measures it when it succeeds. */
  async measure<T>(what: 'delete' | 'pause' | 'resume', namespace = '', work: () => Promise<T>): Promise<T> {
    const since = Date.now();
    const labels = { namespace, source };
    const count = (result: string) => this.#metrics.add(`sandbox_${what}_responses`, { ...labels, result });
    try {
      const result = await work();
      count('success');
      this.#metrics.observe(`sandbox_${what}_duration_seconds`, labels, (Date.now() - since) / 1000);
      return result;
    } catch (error) {
      count('failure');
      throw error;
    }
  }

  snapshot(namespace: string, result: 'success' | 'failure'): void {
    this.#metrics.add('sandbox_snapshot_total', { namespace, result });
  }

  /** In Prometheus' text format. */
  text(routes: number): string {
    this.#metrics.set('sandbox_routes', {}, routes);
    this.#metrics.set('sandbox_peers', {}, 0);
    measureProcess(this.#metrics, this.#startedMs);
    return this.#metrics.render();
  }
}
