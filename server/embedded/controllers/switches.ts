import { NodeFaults } from '../kubelet/node-faults';
import type { Sandbox } from './client/objects';
import type { WorkQueue } from './client/queue';

export const controllerNames = ['sandbox', 'sandboxset', 'sandboxclaim', 'sandboxupdateops'] as const;
export type ControllerName = (typeof controllerNames)[number];

/** What the runtime inside the sandboxes does wrong. */
export interface RuntimeFault {
  what: 'hookFails' | 'hookHangs' | 'initFails';
  concerns(sandbox: Sandbox): boolean;
}

/** What can be made to fail in this process while it runs. Nothing does until somebody switches it. */
export class Switches {
  readonly nodes = new NodeFaults();
  readonly runtime = new Set<RuntimeFault>();
  /** The queues of the controllers that run here. */
  readonly controllers = new Map<ControllerName, WorkQueue>();
  /** Begins anew with all of them, as another process does that takes the lead: with fresh lists, and no memory. */
  newLeader: () => Promise<void> = async () => {};

  runtimeFails = (what: RuntimeFault['what'], sandbox: Sandbox): boolean =>
    [...this.runtime].some((fault) => fault.what === what && fault.concerns(sandbox));
}
