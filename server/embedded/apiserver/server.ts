import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setWebhooksAway, webhooks } from './admission/webhooks';
import { aggregateClusterRoles } from './auth/aggregation';
import { attributesOf, forbiddenRequest } from './auth/attributes';
import { authenticate, impersonate } from './auth/authenticate';
import { escalation } from './auth/escalation';
import { ADMIN, ANONYMOUS } from './auth/people';
import { authorize } from './auth/rbac';
import { answerReview, REVIEWS } from './auth/reviews';
import { Tokens } from './auth/tokens';
import type { Cluster } from './core/admission';
import { answerResource } from './core/answers';
import { isSkewed, now } from './core/clock';
import { KindRegistry } from './core/kind-registry';
import { read } from './core/reads';
import { sendError, sendJson, sendNotFound, sendText, sendTooManyRequests } from './core/responses';
import { parseResourcePath, targetOf } from './core/routes';
import { methodNotAllowed, noSuchResource } from './core/status';
import { Storage } from './core/storage';
import { Watches } from './core/watches';
import { serveDefinitions } from './custom/definitions';
import { documentAt } from './discovery/documents';
import { BUILT_IN_KINDS } from './kinds/built-in-kinds';
import { namespaceLifecycle } from './kinds/namespaces';
import { bind } from './kinds/pods/bindings';
import { connect, isConnection } from './kinds/pods/connections';
import { evict } from './kinds/pods/evictions';
import { resourceQuota } from './kinds/quotas';
import { seed } from './kinds/seed';
import { type FaultHook, inject } from './serving/fault-hook';
import { healthAt, isHealth } from './serving/health';
import { identityOf } from './serving/identity';
import { InFlight } from './serving/in-flight';
import { type Listener, listenOn } from './serving/listener';
import { METRICS_TYPE, Metrics } from './serving/metrics';
import { parseObject, readBody } from './wire/body';
import { negotiate } from './wire/negotiation';

export type { FaultHook } from './serving/fault-hook';

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
  suspend: Listener['suspend'];
  /** The bearer token of a built-in person from now on; the one before is refused. */
  setToken(person: string, token: string): void;
  /** Whether the agents webhooks cannot be reached. */
  setWebhooksAway(away: boolean | readonly string[]): void;
}

/** Starts the API server. Rejects with the system's error (`EADDRINUSE`) when the port is taken. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const storage = options.storage ?? new Storage();
  if (storage.collection('namespaces').items.size === 0) seed(storage, options.agents ?? true);
  const kinds = new KindRegistry(storage, BUILT_IN_KINDS);
  const watches = new Watches(storage);
  const { certificate, tokenKey } = identityOf(storage);
  const tokens = new Tokens(storage, tokenKey);
  const anonymous = options.anonymous === 'refused' ? ANONYMOUS : ADMIN;
  const inFlight = new InFlight(options.maxInFlight);
  const metrics = new Metrics();
  const cluster: Cluster = {
    storage,
    admission: [escalation(storage), webhooks(storage), namespaceLifecycle(storage), resourceQuota(storage)],
    actions: {
      'pods/binding': bind(storage),
      'pods/eviction': evict(storage),
      'serviceaccounts/token': ({ target }, body) => tokens.request(read(storage, target), body),
    },
  };
  const stopFollowing = [serveDefinitions(storage, kinds), aggregateClusterRoles(storage)];
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

    const { accept } = request.headers;
    const known = documentAt(path, kinds, `127.0.0.1:${listener.port}`, accept);
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
    if (route === undefined) return sendNotFound(response);
    const { subresource } = route;
    const review = REVIEWS.find(({ group, plural }) => group === route.group && plural === route.plural);
    if (review !== undefined && route.version === 'v1') {
      if (method !== 'POST') throw methodNotAllowed();
      const body = parseObject(await readBody(request), review.kind);
      const answered = answerReview(review, route.namespace, body, caller, storage, tokens);
      return sendJson(response, 201, JSON.stringify(answered));
    }
    const kind = kinds.find(route.group, route.version, route.plural);
    if (kind === undefined && route.group === '' && route.version !== 'v1') throw noSuchResource();
    if (kind === undefined || (route.namespace !== '' && !kind.namespaced)) return sendNotFound(response);
    const target = { kind, namespace: route.namespace, name: route.name };
    if (isConnection(kind, subresource)) return connect(storage, { method, target, subresource, query }, response);
    const isWatch = attributes.verb === 'watch';
    const resource = { target, subresource, query, caller, isWatch, form: negotiate(accept) };
    return answerResource(cluster, watches, resource, request, response);
  }

  const listener = await listenOn(server, options.port ?? 0, certificate);
  const { port } = listener;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ca: certificate.cert,
    store: storage,
    close: async () => {
      watches.end();
      for (const stop of stopFollowing) stop();
      await listener.suspend();
    },
    closeAllWatches: () => watches.end(),
    compact: () => storage.compact(),
    setWebhooksAway: (away) => setWebhooksAway(storage, away),
    setFault: (hook) => {
      fault = hook;
    },
    suspend: listener.suspend,
    setToken: (person, token) => tokens.set(person, token),
  };
}
