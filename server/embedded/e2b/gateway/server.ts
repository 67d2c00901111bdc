import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Cluster } from '../../controllers/cluster';
import { sandboxState } from '../../controllers/rules/state';
import { keyOfId } from '../manager/sandbox-view';
import type { Runtimes } from '../runtime/contract';
import type { RuntimePods } from './runtime-pods';
import { type Target, targetOf } from './target';

const runtimePort = 49983;
/** Envoy holds a connection that was reset for a second (recorded: dead). */
const resetMs = 1_000;
const nobodyListens =
  'upstream connect error or disconnect/reset before headers. reset reason: remote connection failure';

export interface GatewayOptions {
  cluster: Cluster;
  runtimes: Runtimes;
  pods: RuntimePods;
  /** What the host `api.…` reaches. */
  manager: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The way to the runtimes: Envoy with sandbox-manager's own ext_proc, without a listener. */
export function gatewayApi(options: GatewayOptions): Serve {
  return async (request, response) => {
    const target = targetOf(request);
    response.setHeader('Server', 'envoy');
    if (target === undefined) return send(response, 500, unmapped(request));
    if (target.kind === 'manager') {
      likeEnvoy(response);
      return options.manager(request, response);
    }
    toSandbox(options, target, request, response);
  };
}

/** A server for it; it listens nowhere yet. A stream may last as long as its sandbox. */
export const gatewayServer = (serve: Serve): Server =>
  createServer({ requestTimeout: 0 }, (request, response) => void serve(request, response));

function toSandbox(
  { cluster, runtimes, pods }: GatewayOptions,
  { id, port, path }: Extract<Target, { kind: 'sandbox' }>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const sandbox = cluster.sandboxes.get(keyOfId(id) ?? '');
  if (sandbox === undefined || sandboxState(sandbox) !== 'running') {
    send(response, 502, `API Error: healthy sandbox ${id} not found`);
    return;
  }
  const uid = port === runtimePort ? pods.init(sandbox) : undefined;
  if (uid === undefined) {
    send(response, 503, nobodyListens);
    return;
  }
  likeEnvoy(response);
  runtimes.handle(uid, path, request, response);
}

const unmapped = ({ headers, url }: IncomingMessage) =>
  `API Error: failed to map request to sandbox, URL=http://${headers.host ?? ''}${url ?? '/'}`;

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text);
}

/** Tells how long the upstream took, and cuts a connection later than the upstream did; what comes after that is lost. */
function likeEnvoy(response: ServerResponse): void {
  const since = Date.now();
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    response.setHeader('X-Envoy-Upstream-Service-Time', String(Date.now() - since));
    return writeHead(...args);
  };
  const destroy = response.destroy.bind(response);
  response.destroy = (error) => {
    response.write = () => false;
    response.end = () => response;
    setTimeout(() => destroy(error), resetMs).unref();
    return response;
  };
}
