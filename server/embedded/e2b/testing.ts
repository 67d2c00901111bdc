import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { collectionPath, resources } from '../controllers/client/resources';
import { sandboxState } from '../controllers/rules/state';
import { startTestCluster } from '../controllers/testing';
import type { RuntimeInit, Runtimes } from './runtime/contract';
import { startE2b } from './start';

/** Of a request whose answer shall begin and never end. */
export const staysOpen = 'x-stays-open';

/** A runtime that is healthy and says nothing more, at once or never ending. */
export function fakeRuntimes() {
  const inits = new Map<string, RuntimeInit>();
  const open = new Map<string, Set<http.ServerResponse>>();
  const runtimes: Runtimes = {
    init: (uid, init) => void inits.set(uid, init),
    handle: (uid, url, request, response) => {
      if (request.headers[staysOpen] === undefined) {
        const empty = url === '/health' || request.method === 'OPTIONS';
        response.writeHead(empty ? 204 : 200, { 'Content-Type': 'text/plain', Vary: 'Origin' }).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': 'application/connect+json' });
      response.write('begin');
      open.set(uid, (open.get(uid) ?? new Set()).add(response));
    },
    kill: async (uid) => {
      // What a process that is killed would still say must reach nobody.
      for (const response of open.get(uid) ?? []) response.destroy().end('killed');
      open.delete(uid);
    },
    close: async () => undefined,
  };
  return { runtimes, inits };
}

const container = {
  name: 'sandbox',
  image: 'registry.local/python:3.11',
  resources: { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '1', memory: '1Gi' } },
};

/** A small cluster with the pools of the recordings (`python` 3, `python-empty`, `python-new`), and its manager and gateway. */
export async function startE2bTests() {
  const { api, cluster, stop } = await startTestCluster();
  const dir = mkdtempSync(path.join(os.tmpdir(), 'e2b-test-'));
  const fake = fakeRuntimes();
  const e2b = await startE2b({ cluster, dir, startRuntimes: () => fake.runtimes });
  const pool = (name: string, replicas: number, containers: object[] = [container]) =>
    api.create(collectionPath(resources.sandboxsets, 'default'), {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxSet',
      metadata: { name },
      spec: {
        replicas,
        template: { metadata: { labels: { app: name, runtime: 'envd' } }, spec: { containers } },
      },
    });
  await pool('python', 3);
  await pool('python-empty', 0);
  await pool('python-new', 0, [{ ...container, resources: {} }]);
  const ready = () => [...cluster.sandboxes.list()].filter((sandbox) => sandboxState(sandbox) === 'available').length;
  await vi.waitUntil(() => ready() === 3, { timeout: 20_000 });
  return {
    api,
    cluster,
    e2b,
    key: readFileSync(e2b.keyFile, 'utf8').trim(),
    inits: fake.inits,
    stop: async () => {
      await e2b.stop();
      await stop();
      rmSync(dir, { recursive: true });
    },
  };
}

export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The connection broke in the middle. */
  cut: boolean;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  /** Called when the answer has begun. */
  onStart?: () => void;
}

/** One exchange, with any Host. Rejects when there is no answer at all. */
export function send(url: string, { method = 'GET', headers = {}, body, onStart }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const request = http.request(url, { method, headers: { ...length, ...headers }, agent: false }, (response) => {
      let text = '';
      onStart?.();
      const settle = (cut: boolean) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, cut });
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', () => settle(true));
      response.once('end', () => settle(false));
    });
    request.once('error', reject);
    request.end(body);
  });
}
