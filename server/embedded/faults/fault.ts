import type { z } from 'zod';
import type { Api } from '../controllers/client/api';
import type { Switches } from '../controllers/switches';
import type { E2bDoor } from '../e2b/start';
import type { ApiDoor } from './api-door';

/** What somebody on call practises with it; the order is that of the lists. */
export const groups = {
  resume: 'Resuming hangs',
  upgrade: 'Upgrades',
  pool: 'Pools run dry',
  sandbox: 'Sandboxes and claims',
  apiserver: 'The API server',
  webhook: 'The webhooks',
  node: 'Nodes',
  controller: 'Controllers',
  manager: 'The sandbox-manager',
} as const;
export type Group = keyof typeof groups;

/** What a fault can lay hands on. */
export interface Targets {
  /** Absent on somebody else's cluster: its API server cannot be made to fail. */
  door?: ApiDoor;
  /** Absent where no sandbox-manager runs. */
  e2b?: E2bDoor;
  switches: Switches;
  api: Api;
  /** Nobody else marks silent nodes and moves their Pods away. */
  controlPlane: boolean;
}

/** Ends what was started. */
export type End = () => void | Promise<void>;

export interface FaultKind<P = unknown> {
  title: string;
  group: Group;
  /** What happens, in words for somebody who wants to see it. */
  does: string;
  /** What is left after its end, and what comes back by itself. */
  ends: string;
  params: z.ZodType<P>;
  /** It breaks the API server itself. */
  needsDoor?: boolean;
  /** It breaks the sandbox-manager, its gateway, or the runtimes behind it. */
  needsManager?: boolean;
  /** A second one beside it would undo it, or be undone by it. */
  once?: boolean;
  /** After how many seconds it is over by itself; when it is ended, unless said. */
  lasts?(params: P): number | undefined;
  start(targets: Targets, params: P): End | Promise<End>;
}

/** Gives `start` and `lasts` the type of its `params`. */
export function fault<P>(kind: FaultKind<P>): FaultKind {
  return {
    ...kind,
    lasts: (params) => kind.lasts?.(kind.params.parse(params)),
    start: (targets, params) => kind.start(targets, kind.params.parse(params)),
  };
}

/** A request about faults or scenarios that cannot be met; the message says why. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(message);
  }
}
