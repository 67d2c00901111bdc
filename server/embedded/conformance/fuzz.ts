import { once } from 'node:events';
import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { problemOf } from './fuzz/answers';
import { exchange } from './fuzz/exchange';
import { anyRequest, type FuzzRequest, NAMESPACE } from './fuzz/requests';
import type { Result } from './result';

export interface FuzzOptions {
  /** An API server in this process, since its memory, sockets and rejections are looked at. */
  url: string;
  requests: number;
  /** The same seed makes the same requests. */
  seed: number;
  /** Forgets the server's history of changes, which grows up to a limit by itself. */
  compact: () => void;
  /** Says how far it has come. */
  say?: (line: string) => void;
}

const TOKEN = 'Bearer practice-admin';
const AT_ONCE = 16;
/** Requests are made so many at a time: each is big. */
const BATCH = 500;
/** What the heap may grow by in the second half. */
const GROWTH_MB = 12;
const SHOWN = 20;

/** Sends random requests to an API server of this process, and looks at every answer and at what is left behind. */
export async function fuzz({ url, requests, seed, compact, say = () => undefined }: FuzzOptions): Promise<Result[]> {
  const base = new URL(url);
  if (base.hostname !== '127.0.0.1') throw new Error(`the fuzz goes to this machine only, not to ${url}`);
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE * 2 });
  const cluster = new Cluster(url, compact);
  const socketsBefore = sockets();
  const prototype = Object.getOwnPropertyNames(Object.prototype).join();
  const rejections: string[] = [];
  const onRejection = (error: unknown) => rejections.push(String(error instanceof Error ? error.stack : error));
  process.on('unhandledRejection', onRejection).on('uncaughtException', onRejection);
  /** Each problem once, with the first request that has it. */
  const problems = new Map<string, string>();
  const heaps: number[] = [];
  try {
    const requestsOf = anyRequest(await cluster.collections(), TOKEN);
    for (let sent = 0; sent < requests; sent += BATCH) {
      const count = Math.min(BATCH, requests - sent);
      const batch = fc.sample(requestsOf, { numRuns: count, seed: seed + sent });
      await cluster.makeReady();
      await inParallel(batch, async (request, index) => {
        const problem = await exchange(base, agent, request).then(
          (answer) => answer && problemOf(answer),
          (error: unknown) => String(error),
        );
        if (problem !== undefined && !problems.has(problem))
          problems.set(problem, `request ${sent + index}: ${described(request)}`);
      });
      const half = Math.ceil(requests / 2);
      for (const mark of [half, requests]) {
        if (sent < mark && sent + count >= mark) heaps.push(await cluster.heapMb());
      }
      if ((sent + count) % 10_000 === 0) say(`fuzz: ${sent + count} requests, ${problems.size} problems`);
    }
  } finally {
    agent.destroy();
    process.off('unhandledRejection', onRejection).off('uncaughtException', onRejection);
  }
  const left = await socketsLeft(socketsBefore);
  const growth = (heaps[1] ?? 0) - (heaps[0] ?? 0);
  say(`fuzz: seed ${seed}, heap ${heaps.map((mb) => `${mb.toFixed(1)} MB`).join(' at half, ')} in the end`);

  const result = (name: string, details: readonly string[]): Result => ({
    suite: 'fuzz',
    group: `fuzz with seed ${seed}`,
    name,
    outcome: details.length === 0 ? 'passed' : 'failed',
    details: details.slice(0, SHOWN),
  });
  const pollution =
    Object.getOwnPropertyNames(Object.prototype).join() === prototype ? [] : ['Object.prototype was changed'];
  return [
    result(`${requests} requests get well-formed answers`, [...problems].flat()),
    result('no promise is rejected unseen, nothing is thrown unseen', rejections),
    result('no prototype is changed', pollution),
    result('no socket stays open', left === 0 ? [] : [`${left} sockets are left`]),
    result('memory does not grow', growth <= GROWTH_MB ? [] : [`the heap grew by ${growth.toFixed(1)} MB`]),
  ];
}

function described({ method, path, headers, body, sent }: FuzzRequest): string {
  const shown = body.length > 600 ? `${body.subarray(0, 600).toString()}… (${body.length} bytes)` : body.toString();
  return `${sent} ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${JSON.stringify(shown)}`;
}

async function inParallel<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const index = next++;
      await work(all[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** What the fuzz does with its ground between batches. */
class Cluster {
  readonly #url: string;
  readonly #compact: () => void;
  #namespaced: string[] = [];

  constructor(url: string, compact: () => void) {
    this.#url = url;
    this.#compact = compact;
  }

  /** The paths of all collections that are served: those of namespaces in the one of the fuzz. */
  async collections(): Promise<string[]> {
    const accept = 'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io';
    const paths: string[] = [];
    for (const root of ['/api', '/apis']) {
      const { items } = (await this.#ask('GET', root, undefined, accept)) as { items: Group[] };
      for (const { metadata, versions } of items) {
        for (const { version, resources } of versions) {
          const prefix = root === '/api' ? `/api/${version}` : `/apis/${metadata?.name}/${version}`;
          for (const { resource, scope } of resources) {
            if (scope === 'Namespaced') this.#namespaced.push(`${prefix}/namespaces/${NAMESPACE}/${resource}`);
            else paths.push(`${prefix}/${resource}`);
          }
        }
      }
    }
    return [...paths, ...this.#namespaced];
  }

  /** The namespace is there; what the fuzz has made does not pile up in it. */
  async makeReady(): Promise<void> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    await this.#ask('POST', '/api/v1/namespaces', namespace);
  }

  /** The heap in use once everything that the fuzz made is gone and forgotten. */
  async heapMb(): Promise<number> {
    for (const path of this.#namespaced) {
      const list = (await this.#ask('GET', path)) as { items?: { metadata: { name: string } }[] };
      for (const { metadata } of list.items ?? []) {
        const one = `${path}/${encodeURIComponent(metadata.name)}`;
        await this.#ask('PATCH', one, { metadata: { finalizers: null } });
        await this.#ask('DELETE', `${one}?gracePeriodSeconds=0`);
      }
    }
    this.#compact();
    for (let i = 0; i < 3; i += 1) {
      collectGarbage();
      await new Promise(setImmediate);
    }
    return process.memoryUsage().heapUsed / 1e6;
  }

  async #ask(method: string, path: string, body?: object, accept = 'application/json'): Promise<unknown> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { Authorization: TOKEN, 'Content-Type': type, Accept: accept, Connection: 'close' };
    const text = body === undefined ? '' : JSON.stringify(body);
    const request = http.request(`${this.#url}${path}`, { method, headers, agent: false });
    request.end(text);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    let whole = '';
    for await (const chunk of answer.setEncoding('utf8')) whole += chunk;
    // What cannot be listed says so in plain text.
    return whole.startsWith('{') ? JSON.parse(whole) : {};
  }
}

interface Group {
  metadata?: { name?: string };
  versions: { version: string; resources: { resource: string; scope: string }[] }[];
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** How many more sockets are open than before, once those that are closing have closed. */
async function socketsLeft(before: number): Promise<number> {
  for (let i = 0; i < 100 && sockets() > before; i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  return Math.max(0, sockets() - before);
}
