import 'server-only';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Principal } from '@/server/access/principal';
import type { ClusterConfig } from './config';
import { CredentialSource, type Credentials } from './credentials';
import { httpError, isUntrusted, KubeError } from './errors';
import { readLines } from './lines';

const timeoutMs = 30_000;
/** Idle TCP connections are probed after this long, so that a vanished peer is noticed within seconds. */
const keepAliveProbeMs = 5_000;

export interface KubeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path at the API server, such as /api/v1/nodes. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON. */
  body?: unknown;
  /** What the body is; a patch has to say which kind it is. */
  contentType?: string;
  /** The person it is made for; without one it is the console's own. */
  as?: Principal;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface KubeResponse {
  status: number;
  /** Parsed JSON, or the text of what is no JSON. */
  body: unknown;
  headers: http.IncomingHttpHeaders;
  /** Texts of the Warning headers. */
  warnings: string[];
}

export interface WatchHandlers {
  onOpen(): void;
  /** Any byte: proof that the connection lives. */
  onBytes(): void;
  onLine(line: string): void;
}

/** The one way to the API server. */
export class KubeClient {
  readonly server: URL;
  #credentials: CredentialSource;

  constructor(config: ClusterConfig) {
    this.server = config.server;
    this.#credentials = new CredentialSource(config);
  }

  /**
   * @throws {KubeError} for every answer that is no success, a time-out, or a lost connection. What was aborted
   * through `signal` throws that signal's reason.
   */
  async request(request: KubeRequest): Promise<KubeResponse> {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      const response = await this.#send(request, signal);
      const text = await readText(response);
      const body = parseBody(text, response.headers['content-type']);
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) throw httpError(status, body, response.headers['retry-after']);
      return { status, body, headers: response.headers, warnings: warningsOf(response) };
    } catch (error) {
      throw asKubeError(error, request, timeout);
    }
  }

  /**
   * A watch: resolves when the server closes the stream in good order.
   * @throws {KubeError} like {@link request}; `timeoutMs` bounds the wait for the answer's head only.
   * What `onLine` throws ends the watch and is thrown on as it is.
   */
  async stream(request: Omit<KubeRequest, 'body'>, handlers: WatchHandlers): Promise<void> {
    const head = new AbortController();
    const timer = setTimeout(() => head.abort(), request.timeoutMs ?? timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, head.signal]) : head.signal;
    let fault: unknown;
    const onLine = (line: string) => {
      try {
        handlers.onLine(line);
      } catch (error) {
        fault = error;
        throw error;
      }
    };
    try {
      const response = await this.#send(request, signal);
      clearTimeout(timer);
      const status = response.statusCode ?? 0;
      if (status !== 200) {
        throw httpError(
          status,
          parseBody(await readText(response), response.headers['content-type']),
          response.headers['retry-after'],
        );
      }
      handlers.onOpen();
      await readLines(response, { onBytes: handlers.onBytes, onLine });
    } catch (error) {
      // What the reader of a line throws is not the network's.
      throw error === fault ? error : asKubeError(error, request, head.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(request: KubeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const credentials = await this.#credentials.get();
    const response = await this.#sendAs(request, credentials, signal).catch((error: unknown) => {
      // Nothing was sent, and the authority may have been renewed.
      if (!isUntrusted((error as NodeJS.ErrnoException).code)) throw error;
    });
    if (response && response.statusCode !== 401) return response;
    response?.resume();
    const fresh = await this.#credentials.get(credentials);
    return this.#sendAs(request, fresh, signal);
  }

  async #sendAs(request: KubeRequest, credentials: Credentials, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await open(this.server, request, credentials, signal);
    } catch (error) {
      // A kept connection that the server has just closed. Reading again is harmless; writes never use kept ones.
      if (error instanceof StaleConnection) return open(this.server, request, credentials, signal);
      throw error;
    }
  }
}

class StaleConnection extends Error {}

function open(
  server: URL,
  request: KubeRequest,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(server.pathname.replace(/\/$/, '') + request.path, server);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, String(value));
  const payload = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const reading = request.method === 'GET';
  const options: https.RequestOptions = {
    ...credentials.tls,
    method: request.method,
    // A write on a kept connection could be lost without a way to tell whether it arrived.
    agent: reading ? credentials.agent : false,
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': 'agents-console',
      ...credentials.headers,
      ...impersonation(request.as),
      ...(payload
        ? { 'content-type': request.contentType ?? 'application/json', 'content-length': payload.length }
        : {}),
    },
  };
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'http:' ? http : https).request(url, options, resolve);
    sent.on('socket', (socket) => socket.setKeepAlive(true, keepAliveProbeMs));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const stale = reading && sent.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      reject(stale ? new StaleConnection() : error);
    });
    sent.end(payload);
  });
}

function impersonation(as: Principal | undefined): Record<string, string | string[]> {
  if (!as?.impersonate) return {};
  return {
    'Impersonate-User': as.subject,
    ...(as.groups.length > 0 ? { 'Impersonate-Group': [...as.groups] } : {}),
  };
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string, type: string | undefined): unknown {
  if (!type?.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `299 - "text"`, quotes inside escaped. */
function warningsOf(response: IncomingMessage): string[] {
  return (response.headersDistinct.warning ?? []).map((header) => {
    const quoted = /^\d+ \S+ "((?:[^"\\]|\\.)*)"/.exec(header)?.[1];
    return quoted === undefined ? header : quoted.replaceAll(/\\(.)/g, '$1');
  });
}

function asKubeError(error: unknown, request: KubeRequest, timeout: AbortSignal): unknown {
  if (error instanceof KubeError) return error;
  if (request.signal?.aborted) return request.signal.reason;
  const what = `${request.method} ${request.path}`;
  if (timeout.aborted) {
    return new KubeError({ cause: 'timeout', message: `the API server did not answer in time (${what})` });
  }
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return new KubeError({ cause: 'network', message: message || code || `connection lost (${what})`, code });
}
