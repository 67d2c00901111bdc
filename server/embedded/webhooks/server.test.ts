import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiConnection, isLoopback } from '../controllers/connect';
import { serveWebhooks, WebhooksOutOfReach } from './server';

interface Configuration {
  metadata: { name: string; uid: string };
  webhooks: { clientConfig: { url: string; caBundle: string }; failurePolicy: string; namespaceSelector?: object }[];
}

let server: Server;
let connection: ApiConnection;
let kept: Map<string, Configuration>;
/** Every failure policy that was ever put in. */
let policies: Set<string>;
/** Whether webhooks on this machine can be called. */
let near: boolean;
let asked: () => void;

/** Keeps configurations, and calls what is in them for a write, as an API server does. */
beforeEach(async () => {
  kept = new Map();
  policies = new Set();
  near = true;
  asked = () => undefined;
  server = createServer(async (incoming, response) => {
    const path = incoming.url ?? '';
    const body = JSON.parse((await text(incoming)) || '{}');
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    asked();
    if (path.endsWith('/selfsubjectreviews')) return send(201, { status: { userInfo: { username: 'me' } } });
    if (path.includes('/configmaps?dryRun=All')) {
      for (const configuration of near ? kept.values() : []) await review(configuration);
      return send(201, body);
    }
    const found = kept.get(path);
    if (incoming.method === 'GET') return found ? send(200, found) : send(404, { code: 404 });
    if (incoming.method === 'DELETE') {
      if (found === undefined) return send(404, { code: 404 });
      if (body.preconditions.uid !== found.metadata.uid) return send(409, { code: 409 });
      kept.delete(path);
      return send(200, {});
    }
    const created = `${path}/${body.metadata.name}`;
    if (kept.has(created)) return send(409, { code: 409 });
    kept.set(created, { ...body, metadata: { ...body.metadata, uid: String(policies.size + kept.size) } });
    for (const { failurePolicy } of body.webhooks) policies.add(failurePolicy);
    send(201, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  connection = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function review({ webhooks: [webhook] }: Configuration): Promise<void> {
  if (webhook === undefined) return;
  const { url, caBundle } = webhook.clientConfig;
  const call = request(url, { method: 'POST', ca: Buffer.from(caBundle, 'base64') });
  const resource = { group: '', resource: 'configmaps' };
  call.end(JSON.stringify({ request: { uid: '1', resource, userInfo: { username: 'me' } } }));
  const [answer] = await once(call, 'response');
  answer.resume();
}

const names = () => [...kept.values()].map(({ metadata }) => metadata.name);

it('are put into an API server that can call them, and taken out at the end', async () => {
  const stops: (() => Promise<void>)[] = [];
  await serveWebhooks(connection, (stop) => stops.push(stop));
  expect(names()).toEqual(['agents-simulator', 'agents-simulator']);
  await Promise.all(stops.map((stop) => stop()));
  expect(names()).toEqual([]);
});

it('replace what a killed run left behind, and are not taken out by the end of one that began before', async () => {
  let endFirst: () => Promise<void> = async () => undefined;
  const first = await serveWebhooks(connection, (stop) => {
    endFirst = stop;
  });
  // Nothing listens there any more, as after a SIGKILL.
  await first.setAway(true);
  const urls = () => [...kept.values()].flatMap(({ webhooks }) => webhooks.map(({ clientConfig }) => clientConfig.url));
  const before = urls();
  const second = await serveWebhooks(connection, () => undefined);
  expect(names()).toEqual(['agents-simulator', 'agents-simulator']);
  expect(urls().filter((url) => before.includes(url))).toEqual([]);
  await endFirst();
  expect(names()).toEqual(['agents-simulator', 'agents-simulator']);
  await second.stop();
  expect(names()).toEqual([]);
});

it('are called for all namespaces, or for those that are named', async () => {
  const selectors = () =>
    new Set([...kept.values()].flatMap(({ webhooks }) => webhooks.map((one) => JSON.stringify(one.namespaceSelector))));
  const all = await serveWebhooks(connection, () => undefined);
  expect(selectors()).toEqual(new Set([undefined]));
  await all.stop();
  const some = await serveWebhooks(connection, () => undefined, ['team-a', 'team-b']);
  const named = { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['team-a', 'team-b'] };
  expect(selectors()).toEqual(new Set([JSON.stringify({ matchExpressions: [named] })]));
  await some.stop();
});

it('are never put, so that writes would fail, into one that cannot call them', { timeout: 30_000 }, async () => {
  near = false;
  await expect(serveWebhooks(connection, () => undefined)).rejects.toThrow(WebhooksOutOfReach);
  expect([...policies]).toEqual(['Ignore']);
  expect(names()).toEqual([]);
});

it('are not put into one on another machine, which is not even asked', async () => {
  for (const host of ['10.0.0.1', 'localhost.example.org', '127.example.org', '127.0.0.1.example.org']) {
    const elsewhere = serveWebhooks({ baseUrl: `https://${host}:6443` }, () => undefined);
    await expect(elsewhere).rejects.toThrow(`The API server https://${host}:6443 does not call webhooks`);
  }
  const near = ['http://localhost:1', 'https://127.0.0.1', 'https://127.8.9.1:6443', 'https://[::1]:6443'];
  expect(near.filter((baseUrl) => !isLoopback({ baseUrl }))).toEqual([]);
});

it.each([1, 3, 5, 6, 8, 9, 10])('leave nothing behind when the end comes with request %i', async (last) => {
  let count = 0;
  const stopped = new Promise<void>((resolve, reject) => {
    const serving = serveWebhooks(connection, (stop) => {
      asked = () => {
        count += 1;
        if (count === last) stop().then(resolve, reject);
      };
    });
    serving.catch(() => undefined);
  });
  await stopped;
  expect(count).toBeGreaterThanOrEqual(last);
  expect(names()).toEqual([]);
});
