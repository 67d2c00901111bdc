import type { WorkQueue } from '../client/queue';
import type { Metrics } from './registry';

/** controller-runtime's own metrics of one controller's queue: `begin` makes the series that are there from the start. */
export function measureQueue(metrics: Metrics, queue: WorkQueue): { begin(): void; update(): void } {
  const controller = `${queue.name}-controller`;
  const named = { controller, name: controller };
  const results = ['error', 'requeue', 'requeue_after', 'success'];
  const begin = () => {
    for (const result of results) metrics.add('controller_runtime_reconcile_total', { controller, result }, 0);
    for (const problem of ['reconcile_errors', 'terminal_reconcile_errors', 'reconcile_panics'])
      metrics.add(`controller_runtime_${problem}_total`, { controller }, 0);
    metrics.set('controller_runtime_max_concurrent_reconciles', { controller }, queue.workers);
  };
  queue.onPass = (result, waited, took) => {
    metrics.add('controller_runtime_reconcile_total', { controller, result });
    if (result === 'error') metrics.add('controller_runtime_reconcile_errors_total', { controller });
    metrics.observe('controller_runtime_reconcile_time_seconds', { controller }, took);
    metrics.observe('workqueue_work_duration_seconds', named, took);
    metrics.observe('workqueue_queue_duration_seconds', named, waited);
  };
  const update = () => {
    metrics.set('controller_runtime_active_workers', { controller }, queue.working);
    const { longest, all } = queue.unfinishedSeconds();
    metrics.set('workqueue_longest_running_processor_seconds', named, longest);
    metrics.set('workqueue_unfinished_work_seconds', named, all);
    metrics.set('workqueue_depth', named, queue.depth);
    metrics.set('workqueue_adds_total', named, queue.adds);
    metrics.set('workqueue_retries_total', named, queue.retries);
  };
  return { begin, update };
}
