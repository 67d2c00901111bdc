import type { Sandbox } from '../../controllers/client/objects';
import type { Cluster } from '../../controllers/cluster';
import { annotation } from '../../controllers/rules/keys';
import { sandboxState } from '../../controllers/rules/state';
import type { PickLock } from '../../controllers/sandboxclaim/pick';
import type { RuntimePods } from '../gateway/runtime-pods';
import { type Answer, Refusal } from './answers';
import type { Keys, User } from './keys';
import type { ManagerMetrics } from './metrics';
import { idOf, keyOfId, type ShownState, sandboxView, shownState } from './sandbox-view';
import type { Waits } from './waits';

/** What all handlers share. */
export interface Manager {
  cluster: Cluster;
  keys: Keys;
  waits: Waits<Sandbox>;
  metrics: ManagerMetrics;
  /** Members that a create of this process is taking right now. */
  lock: PickLock;
  runtimes: RuntimePods;
}

/** One request whose key is known. */
export interface Call {
  manager: Manager;
  user: User;
  /** Of the placeholders in the route. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Host of the request, which answers give as the domain. */
  host: string;
  /** When nobody waits for the answer any more. */
  signal: AbortSignal;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A handler for the sandbox that the path names. Nobody learns of other people's. */
export const ofSandbox =
  (handle: (call: Call, sandbox: Sandbox) => Answer | Promise<Answer>): Handler =>
  (call) => {
    const id = call.params.id ?? '';
    const sandbox = call.manager.cluster.sandboxes.get(keyOfId(id) ?? '');
    const { user } = call;
    const known = sandbox !== undefined && sandbox.metadata.deletionTimestamp === undefined && ownedBy(user, sandbox);
    if (!known) throw new Refusal(404, `Sandbox route not found, maybe it is crashed or killed: ${id}`);
    return handle(call, sandbox);
  };

const ownedBy = (user: User, { metadata }: Sandbox) => metadata.annotations?.[annotation.owner] === user.id;

/** @throws Refusal for one that is there and cannot be used */
export function usableState(sandbox: Sandbox): ShownState {
  const state = shownState(sandbox);
  if (state === undefined) throw new Refusal(404, `Cannot get sandbox ${idOf(sandbox)}: sandbox not found`);
  return state;
}

/** For what only one that runs or is paused can do. @throws Refusal for any other (recorded: dead) */
export function liveState(sandbox: Sandbox): ShownState {
  const state = sandboxState(sandbox);
  if (state === 'running' || state === 'paused') return state;
  const { phase } = sandbox.status ?? {};
  const ended = Date.parse(sandbox.spec.shutdownTime ?? '') < Date.now();
  const why = phase === 'Running' ? 'RunningResourceClaimedButNotReady' : `Resource${phase}`;
  const reason = ended ? 'ShutdownTimeReached' : why;
  const id = idOf(sandbox);
  throw new Refusal(
    404,
    `Cannot get sandbox ${id}: BadRequest: sandbox ${id} is not healthy (state ${state}, reason ${reason})`,
  );
}

/** The sandbox as the copy shows it now, with its token. */
export function answerWith(call: Call, status: number, sandbox: Sandbox): Answer {
  const { namespace, name } = sandbox.metadata;
  const now = call.manager.cluster.sandboxes.get(`${namespace}/${name}`) ?? sandbox;
  return { status, body: sandboxView(now, usableState(now), call.host, true) };
}

export const resourceOf = ({ metadata }: Sandbox): string => `sandboxResource=${metadata.namespace}/${metadata.name}`;
