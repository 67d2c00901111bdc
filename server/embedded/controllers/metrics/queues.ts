import type { WorkQueue } from '../client/queue';
import type { Metrics } from './registry';

/** controller-runtime's own metrics of one controller's queue. */
export function measureQueue(metrics: Metrics, queue: WorkQueue): () => void {
  const controller = `${queue.name}-controller`;
  const named = { controller, name: controller };
  const results = ['error', 'requeue', 'requeue_after', 'success'];
  for (const result of results) metrics.add('controller_runtime_reconcile_total', { controller, result }, 0);
  metrics.add('controller_runtime_reconcile_errors_total', { controller }, 0);
  metrics.set('controller_runtime_max_concurrent_reconciles', { controller }, queue.workers);
  queue.onPass = (result, waited, took) => {
    metrics.add('controller_runtime_reconcile_total', { controller, result });
    if (result === 'error') metrics.add('controller_runtime_reconcile_errors_total', { controller });
    metrics.observe('controller_runtime_reconcile_time_seconds', { controller }, took);
    metrics.observe('workqueue_work_duration_seconds', named, took);
    metrics.observe('workqueue_queue_duration_seconds', named, waited);
  };
  return () => {
    metrics.set('controller_runtime_active_workers', { controller }, queue.working);
    metrics.set('workqueue_depth', named, queue.depth);
    metrics.set('workqueue_adds_total', named, queue.adds);
    metrics.set('workqueue_retries_total', named, queue.retries);
  };
}
