import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { principalOf, review } from './access';
import { NO_BODY, parseObject, readBody } from './body';
import { hasGroupVersion } from './discovery';
import { documentAt } from './documents';
import { KindRegistry } from './kind-registry';
import { list } from './lists';
import { negotiate } from './negotiation';
import { handleResource, type ResourceRequest } from './resource-handler';
import { sendAnswer, sendError, sendJson, sendList, sendText, setWarnings } from './responses';
import { parseResourcePath } from './routes';
import { seed } from './seed';
import { badRequest, methodNotAllowed } from './status';
import { Storage } from './storage';
import { Watches } from './watches';

/** An answer put in the place of the real one: refused, late, or never. */
export interface Fault {
  status?: number;
  body?: string | object;
  headers?: Record<string, string>;
  delayMs?: number;
  /** Takes the request and never answers. */
  hang?: boolean;
}

export type FaultHook = (request: { method: string; url: string }) => Fault | undefined;

export interface ApiServerOptions {
  /** 0 picks a free port. */
  port?: number;
  /** Data of an earlier server, to continue with. */
  storage?: Storage;
  /** Whether a new storage starts with the agents.kruise.io definitions; true unless said otherwise. */
  agents?: boolean;
}

/** A running API server on the loopback address. */
export interface ApiServer {
  url: string;
  port: number;
  store: Storage;
  /** Ends every watch and connection, then stops listening. The storage stays. */
  close(): Promise<void>;
  /** Ends every watch; clients may resume. */
  closeAllWatches(): void;
  /** Forgets history: resuming from an older resourceVersion is answered with 410. */
  compact(): void;
  setFault(hook: FaultHook | undefined): void;
}

/** Starts the API server. Rejects with the system's error (`EADDRINUSE`) when the port is taken. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const storage = options.storage ?? new Storage();
  if (storage.collection('namespaces').items.size === 0) seed(storage, options.agents ?? true);
  const kinds = new KindRegistry(storage);
  const watches = new Watches(storage);
  kinds.onRemoved = (id) => watches.end(id);
  let fault: FaultHook | undefined;

  const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const injected = fault?.({ method, url });
    if (injected !== undefined && (await inject(injected, response))) return;
    const { pathname, searchParams: query } = new URL(`http://localhost${url}`);
    const path = partsOf(pathname);
    const form = () => negotiate(request.headers.accept);

    const known = documentAt(path, kinds, `127.0.0.1:${port()}`, form);
    if (known !== undefined) return sendJson(response, 200, JSON.stringify(known.body), known.contentType);
    if (/^(healthz|livez|readyz)$/.test(path[0] ?? '')) return sendText(response, 200, 'ok');

    const route = parseResourcePath(path);
    if (route === undefined) return sendText(response, 404, '404 page not found\n');
    const reviewed = method === 'POST' && /\.k8s\.io$/.test(route.group) && /^selfsubject/.test(route.plural);
    if (reviewed && hasGroupVersion(kinds, route.group, route.version)) {
      const result = review(route.plural, parseObject(await readBody(request), 'review'), principalOf(request));
      if (result !== undefined) return sendJson(response, 201, JSON.stringify(result));
    }
    const kind = kinds.find(route.group, route.version, route.plural);
    if (kind === undefined || (route.namespace !== '' && !kind.namespaced)) {
      return sendText(response, 404, '404 page not found\n');
    }
    const target = { kind, namespace: route.namespace, name: route.name };
    const shape = form();
    if (method === 'GET' && route.name === '') {
      if (/^(1|true)$/.test(query.get('watch') ?? '')) return watches.start(target, query, shape, response);
      return sendList(response, target, list(storage, target, query), shape, query);
    }
    if (route.name === '' && method !== 'POST' && method !== 'DELETE' && method !== 'PUT') throw methodNotAllowed();
    const body = method === 'GET' ? NO_BODY : await readBody(request);
    const resource: ResourceRequest = { method, target, subresource: route.subresource, query, body, warnings: [] };
    try {
      sendAnswer(response, handleResource(storage, resource), shape, resource);
    } catch (error) {
      setWarnings(response, resource.warnings);
      throw error;
    }
  }

  const port = () => (server.address() as AddressInfo | null)?.port ?? 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });

  return {
    url: `http://127.0.0.1:${port()}`,
    port: port(),
    store: storage,
    close: async () => {
      watches.end();
      kinds.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
    closeAllWatches: () => watches.end(),
    compact: () => storage.compact(),
    setFault: (hook) => {
      fault = hook;
    },
  };
}

function partsOf(pathname: string): string[] {
  try {
    return pathname
      .split('/')
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part));
  } catch {
    throw badRequest(`the path ${pathname} is not properly escaped`);
  }
}

/** Plays a fault; false when the real answer should follow after its delay. */
async function inject({ status, body, headers, delayMs = 0, hang }: Fault, response: ServerResponse): Promise<boolean> {
  if (hang === true) return true;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (status === undefined) return false;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  return true;
}
