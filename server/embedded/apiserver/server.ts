import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setWebhooksAway } from './admission/webhooks';
import { aggregateClusterRoles } from './auth/aggregation';
import { attributesOf, forbiddenRequest } from './auth/attributes';
import { authenticate, impersonate } from './auth/authenticate';
import { ADMIN, ANONYMOUS } from './auth/people';
import { authorize } from './auth/rbac';
import { answerReview, REVIEWS } from './auth/reviews';
import { Tokens } from './auth/tokens';
import { NO_BODY, parseObject, readBody } from './body';
import { serveBothProtocols } from './both-protocols';
import { isSkewed, now } from './clock';
import { connect, isConnection } from './connections';
import { documentAt } from './documents';
import { type FaultHook, inject } from './fault-hook';
import { healthAt, isHealth } from './health';
import { identityOf } from './identity';
import { InFlight } from './in-flight';
import { KindRegistry } from './kind-registry';
import { list } from './lists';
import { METRICS_TYPE, Metrics } from './metrics';
import { negotiate } from './negotiation';
import { handleResource, type ResourceRequest } from './resource-handler';
import { sendAnswer, sendError, sendJson, sendList, sendText, sendTooManyRequests, setWarnings } from './responses';
import { parseResourcePath } from './routes';
import { seed } from './seed';
import { methodNotAllowed, noSuchResource } from './status';
import { Storage } from './storage';
import { Watches } from './watches';

export type { FaultHook } from './fault-hook';

const NOT_FOUND = '404 page not found\n';
const BAD_REQUEST = '400 Bad Request';

export interface ApiServerOptions {
  /** 0 picks a free port. */
  port?: number;
  /** Data of an earlier server, to continue with. */
  storage?: Storage;
  /** Whether a new storage starts with the agents.kruise.io definitions; true unless said otherwise. */
  agents?: boolean;
  /**
   * Who a request without a token is: `refused` takes it for `system:anonymous`, as kube-apiserver does; `admin`, the
   * default, spares tests the token.
   */
  anonymous?: 'admin' | 'refused';
  /** How many requests are answered at once; further ones get 429. Watches do not count. No limit unless said. */
  maxInFlight?: number;
}

/** A running API server on the loopback address. */
export interface ApiServer {
  url: string;
  port: number;
  /** The certificate (PEM) of the same address under https, which kubectl needs to send a token. */
  ca: string;
  store: Storage;
  /** Ends every watch and connection, then stops listening. The storage stays. */
  close(): Promise<void>;
  /** Ends every watch; clients may resume. */
  closeAllWatches(): void;
  /** Forgets history: resuming from an older resourceVersion is answered with 410. */
  compact(): void;
  setFault(hook: FaultHook | undefined): void;
  /**
   * Ends every connection in the middle of a word and refuses new ones, until the returned function is called; of several, the
   * last one's. That rejects when the port is taken, and may be called again.
   */
  suspend(): Promise<() => Promise<void>>;
  /** The bearer token of a built-in person from now on; the one before is refused. */
  setToken(person: string, token: string): void;
  /** Whether the agents webhooks cannot be reached. */
  setWebhooksAway(away: boolean | readonly string[]): void;
}

/** Starts the API server. Rejects with the system's error (`EADDRINUSE`) when the port is taken. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const storage = options.storage ?? new Storage();
  if (storage.collection('namespaces').items.size === 0) seed(storage, options.agents ?? true);
  const kinds = new KindRegistry(storage);
  const watches = new Watches(storage);
  const { certificate, tokenKey } = identityOf(storage);
  const tokens = new Tokens(storage, tokenKey);
  const anonymous = options.anonymous === 'refused' ? ANONYMOUS : ADMIN;
  const inFlight = new InFlight(options.maxInFlight);
  const metrics = new Metrics();
  const stopAggregating = aggregateClusterRoles(storage);
  kinds.onRemoved = (id) => watches.end(id);
  let fault: FaultHook | undefined;

  const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    if (isSkewed()) response.setHeader('Date', new Date(now()).toUTCString());
    const injected = fault?.({ method, url, headers: request.headers, socket: request.socket });
    if (injected !== undefined && (await inject(injected, response))) return;
    const asked = targetOf(url);
    if (asked === undefined) return sendText(response, 400, BAD_REQUEST);
    const { path, query } = asked;
    const caller = impersonate(request, storage, authenticate(request, tokens, anonymous));
    const attributes = attributesOf(method, path, query);
    if (!isHealth(path) && !inFlight.enter(attributes, response)) return sendTooManyRequests(response);
    response.once('close', () => metrics.observe(attributes, path, query, response.statusCode, kinds));
    const { allowed, reason } = authorize(storage, caller, attributes);
    if (!allowed) throw forbiddenRequest(caller, attributes, reason);
    const form = () => negotiate(request.headers.accept);

    const known = documentAt(path, kinds, `127.0.0.1:${port}`, form);
    if (known !== undefined) {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
      return sendJson(response, 200, JSON.stringify(known.body), known.contentType);
    }
    if (path.join('/') === 'metrics') {
      return sendText(response, 200, metrics.text(storage, kinds, watches, inFlight), METRICS_TYPE);
    }
    const health = healthAt(path, query);
    if (health !== undefined) return sendText(response, 200, health);

    const route = parseResourcePath(path);
    if (route === undefined) return sendText(response, 404, NOT_FOUND);
    const review = REVIEWS.find(({ group, plural }) => group === route.group && plural === route.plural);
    if (review !== undefined && route.version === 'v1') {
      if (method !== 'POST') throw methodNotAllowed();
      const body = parseObject(await readBody(request), review.kind);
      const answered = answerReview(review, route.namespace, body, caller, storage, tokens);
      return sendJson(response, 201, JSON.stringify(answered));
    }
    const kind = kinds.find(route.group, route.version, route.plural);
    if (kind === undefined && route.group === '' && route.version !== 'v1') throw noSuchResource();
    if (kind === undefined || (route.namespace !== '' && !kind.namespaced)) {
      return sendText(response, 404, NOT_FOUND);
    }
    const target = { kind, namespace: route.namespace, name: route.name };
    const { subresource } = route;
    if (isConnection(kind, subresource)) return connect(storage, { method, target, subresource, query }, response);
    const shape = form();
    if (method === 'GET' && route.name === '') {
      if (attributes.verb === 'watch') return watches.start(target, query, shape, response);
      return sendList(response, target, list(storage, target, query), shape, query);
    }
    if (kind.custom === undefined && route.name === '' && (method === 'PUT' || method === 'PATCH')) {
      throw methodNotAllowed();
    }
    // Objects of a namespace are made nowhere else.
    if (method === 'POST' && kind.custom !== undefined && kind.namespaced && route.namespace === '') {
      return sendText(response, 404, NOT_FOUND);
    }
    const body = method === 'GET' ? NO_BODY : await readBody(request);
    const userAgent = request.headers['user-agent'] ?? '';
    const resource: ResourceRequest = { method, caller, userAgent, target, subresource, query, body, warnings: [] };
    try {
      sendAnswer(response, handleResource(storage, tokens, resource), shape, resource);
    } catch (error) {
      setWarnings(response, resource.warnings);
      throw error;
    }
  }

  const cutSilent = serveBothProtocols(server, certificate);
  const listen = async (wanted: number) => {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
  };
  const hangUp = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    cutSilent();
    await closed;
  };
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  let suspensions = 0;
  let settled: Promise<void> = Promise.resolve();
  /** Listens while nobody wants it not to; one change after the other. */
  const settle = () => {
    settled = settled
      .catch(() => undefined)
      .then(() => {
        if (suspensions > 0) return server.listening ? hangUp() : undefined;
        return server.listening ? undefined : listen(port);
      });
    return settled;
  };

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ca: certificate.cert,
    store: storage,
    close: async () => {
      watches.end();
      kinds.close();
      stopAggregating();
      suspensions += 1;
      await settle();
    },
    closeAllWatches: () => watches.end(),
    compact: () => storage.compact(),
    setWebhooksAway: (away) => setWebhooksAway(storage, away),
    setFault: (hook) => {
      fault = hook;
    },
    suspend: async () => {
      suspensions += 1;
      await settle();
      let ended = false;
      return () => {
        if (!ended) suspensions -= 1;
        ended = true;
        return settle();
      };
    },
    setToken: (person, token) => tokens.set(person, token),
  };
}

/** Path and query of a request line, which may name a server too; undefined where it is neither, or not properly escaped. */
function targetOf(url: string): { path: string[]; query: URLSearchParams } | undefined {
  const [, pathname, query = ''] = /^(?:https?:\/\/[^/?]*)?(\/[^?]*|\*)(\?.*)?$/i.exec(url) ?? [];
  if (pathname === undefined) return undefined;
  try {
    const path = decodeURIComponent(pathname).split('/');
    return { path: path.filter((part) => part !== ''), query: new URLSearchParams(query) };
  } catch {
    return undefined;
  }
}
