import type { WorkQueue } from './client/queue';
import type { EventRecorder } from './client/recorder';

/** What runs of a controller. */
export interface Controller {
  queue: WorkQueue;
  recorder: EventRecorder;
  /** Forgets what only this process knows, as if it had just begun. */
  forget(): void;
}
