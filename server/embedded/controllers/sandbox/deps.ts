import type { WriteExpectations } from '../client/expectations';
import type { EventRecorder } from '../client/recorder';
import type { Cluster } from '../cluster';

/** What a Sandbox reconcile works with. */
export interface SandboxDeps {
  cluster: Cluster;
  recorder: EventRecorder;
  writes: WriteExpectations;
  podCreates: WriteExpectations;
}
