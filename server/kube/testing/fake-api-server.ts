import 'server-only';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnvironment } from '@/server/env';
import { type ClusterConfig, clusterConfig } from '../config';
import type { Timing } from '../timing';

interface FakeObject {
  metadata: { name: string; namespace?: string; uid: string; resourceVersion?: string; [key: string]: unknown };
  [key: string]: unknown;
}

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  /** Names and values as they came, repeated ones too. */
  rawHeaders: string[];
  body: string;
}

interface WatchStream {
  path: string;
  response: http.ServerResponse;
}

type Event = { path: string; at: number; type: string; object: FakeObject };
/** Answers instead of the server; true when it did. */
type Fault = (asked: Asked, response: http.ServerResponse) => boolean;

const status = (code: number, message: string, more: object = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  code,
  ...more,
});

/** Versions that sort wrongly as numbers and as text: whoever compares them other than for equality fails. */
const versionOf = (n: number) => `v${(n * 7919) % 10_007}.${n}`;
const numberOf = (version: string) => Number(version.split('.')[1]);

/**
 * Just enough of an API server for list and watch, made to be broken: faults are functions that answer first.
 * Paths of collections are created by the first object; `served` lists those that exist empty.
 */
export class FakeApiServer {
  readonly asked: Asked[] = [];
  fault: Fault = () => false;
  /** Watches take requests and objects, but send nothing. */
  muted = false;
  /** Oldest change a watch can start from; later versions are 410. */
  compactedAt = 0;
  #collections = new Map<string, Map<string, FakeObject>>();
  #history: Event[] = [];
  #watches = new Set<WatchStream>();
  #counter = 100;
  #server: http.Server | undefined;
  #port = 0;
  #folder = mkdtempSync(path.join(tmpdir(), 'fake-api-'));

  static async start(...served: string[]): Promise<FakeApiServer> {
    const server = new FakeApiServer();
    for (const each of served) server.#collections.set(each, new Map());
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Open watches of a collection. */
  watches(collection: string): number {
    return [...this.#watches].filter((each) => each.path === collection).length;
  }

  requests(collection: string, what: 'list' | 'watch'): Asked[] {
    return this.asked.filter((each) => each.path === collection && each.query.has('watch') === (what === 'watch'));
  }

  /** On the port it had before, when it was stopped. */
  async listen(): Promise<void> {
    const server = http.createServer((request, response) => void this.#answer(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Cuts every connection, as a crash does. */
  async crash(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#watches.clear();
    await new Promise<void>((resolve) => {
      if (!server) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  async stop(): Promise<void> {
    await this.crash();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  config(user: object = {}): ClusterConfig {
    return clusterConfig({ ...emptyEnvironment, CONSOLE_KUBECONFIG: this.kubeconfig(user) });
  }

  /** Writes a kubeconfig with this user and returns its name. */
  kubeconfig(user: object = {}): string {
    const file = this.file('kubeconfig');
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'fake',
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
      clusters: [{ name: 'fake', cluster: { server: this.url } }],
      users: [{ name: 'fake', user }],
    };
    writeFileSync(file, JSON.stringify(content));
    return file;
  }

  /** A name in this server's own folder. */
  file(name: string): string {
    return path.join(this.#folder, name);
  }

  set(collection: string, object: FakeObject): void {
    const objects = this.#collections.get(collection) ?? new Map<string, FakeObject>();
    this.#collections.set(collection, objects);
    const known = objects.get(keyOf(object));
    const stored = this.#versioned(object);
    objects.set(keyOf(object), stored);
    if (known && known.metadata.uid !== object.metadata.uid) this.#tell(collection, 'DELETED', this.#versioned(known));
    this.#tell(collection, known?.metadata.uid === object.metadata.uid ? 'MODIFIED' : 'ADDED', stored);
  }

  delete(collection: string, name: string, namespace?: string): void {
    const objects = this.#collections.get(collection);
    const known = objects?.get(keyOf({ metadata: { name, uid: '', ...(namespace ? { namespace } : {}) } }));
    if (!known) throw new Error(`nothing to delete: ${name}`);
    objects?.delete(keyOf(known));
    this.#tell(collection, 'DELETED', this.#versioned(known));
  }

  /** The collection exists from now on, or no longer: its watches are closed. */
  serve(collection: string, served: boolean): void {
    if (served) this.#collections.set(collection, this.#collections.get(collection) ?? new Map());
    else this.#collections.delete(collection);
    if (!served) this.endWatches(collection);
  }

  /** Closes watches in good order, as a time-out does. */
  endWatches(collection: string): void {
    for (const each of this.#watches) if (each.path === collection) each.response.end();
  }

  /** One line on every watch of a collection. */
  send(collection: string, type: string, object: object): void {
    for (const each of this.#watches) {
      if (each.path === collection) each.response.write(`${JSON.stringify({ type, object })}\n`);
    }
  }

  bookmark(collection: string): void {
    this.send(collection, 'BOOKMARK', { kind: 'X', metadata: { resourceVersion: versionOf(this.#counter) } });
  }

  #versioned(object: FakeObject): FakeObject {
    this.#counter += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: versionOf(this.#counter) } };
  }

  #tell(collection: string, type: string, object: FakeObject): void {
    this.#history.push({ path: collection, at: numberOf(object.metadata.resourceVersion ?? ''), type, object });
    if (!this.muted) this.send(collection, type, object);
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body,
    };
    this.asked.push(asked);
    if (this.fault(asked, response)) return;
    if (url.pathname === '/version') return sendJson(response, 200, { gitVersion: 'v1.35.4' });
    const objects = this.#collections.get(url.pathname);
    if (!objects) {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('404 page not found\n');
    } else if (asked.query.has('watch')) {
      this.#watch(asked, response);
    } else {
      this.#list(asked, [...objects.values()], response);
    }
  }

  #list({ query }: Asked, objects: FakeObject[], response: http.ServerResponse): void {
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit') ?? objects.length);
    const rest = to < objects.length ? { continue: String(to) } : {};
    sendJson(response, 200, {
      metadata: { resourceVersion: versionOf(this.#counter), ...rest },
      items: objects.slice(from, to),
    });
  }

  #watch({ path: collection, query }: Asked, response: http.ServerResponse): void {
    const from = numberOf(query.get('resourceVersion') ?? '');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (from < this.compactedAt) {
      response.end(`${JSON.stringify({ type: 'ERROR', object: status(410, 'too old resource version') })}\n`);
      return;
    }
    const stream: WatchStream = { path: collection, response };
    this.#watches.add(stream);
    response.on('close', () => this.#watches.delete(stream));
    if (this.muted) return;
    for (const event of this.#history) {
      if (event.path === collection && event.at > from) {
        response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
      }
    }
  }
}

function keyOf({ metadata }: Pick<FakeObject, 'metadata'>): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

export function sendJson(response: http.ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A Kubernetes Status with this code. */
export function sendStatus(response: http.ServerResponse, code: number, message: string, more: object = {}): void {
  sendJson(response, code, status(code, message, more));
}

export const emptyEnvironment = readEnvironment({});

/** The real order of magnitude between the delays, a few hundred times faster. */
export const fastTiming: Timing = {
  silence: 1_000,
  backoff: { first: 10, most: 80 },
  healthy: 300,
  absent: 40,
  watch: { from: 240_000, to: 360_000 },
  listTimeout: 2_000,
};
