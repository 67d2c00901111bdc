import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ApiCounter, openApiCounter, questionOf } from './api-counter';

const sandboxes = '/apis/agents.kruise.io/v1alpha1/sandboxes';

test.each([
  ['GET', `${sandboxes}?limit=500`, { kind: 'sandboxes', verb: 'list' }],
  ['GET', `${sandboxes}?limit=500&continue=abc`, { kind: 'sandboxes', verb: 'next page' }],
  ['GET', `${sandboxes}?watch=true&resourceVersion=7`, { kind: 'sandboxes', verb: 'watch' }],
  ['GET', '/api/v1/namespaces', { kind: 'namespaces', verb: 'list' }],
  ['GET', '/api/v1/namespaces/demo/pods?watch=1', { kind: 'pods', verb: 'watch' }],
  ['GET', '/api/v1/namespaces/demo', undefined],
  ['GET', '/version', undefined],
  ['POST', '/api/v1/nodes', undefined],
])('%s %s', (method, url, question) => {
  expect(questionOf(method, url)).toEqual(question);
});

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function counterOf(answer: http.RequestListener): Promise<ApiCounter> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const counter = await openApiCounter(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ends.push(() => {
    counter.close();
    server.close();
    server.closeAllConnections();
  });
  return counter;
}

test('passes requests on and counts lists once, whatever their pages', async () => {
  const counter = await counterOf((request, response) =>
    response.writeHead(201).end(`${request.method} ${request.url}`),
  );
  const first = await fetch(`${counter.url}${sandboxes}?limit=1`);
  expect([first.status, await first.text()]).toEqual([201, `GET ${sandboxes}?limit=1`]);
  await fetch(`${counter.url}${sandboxes}?limit=1&continue=a`);
  expect(counter.counts().get('sandboxes')).toMatchObject({ lists: 1, watches: 0 });
});

test('counts the watches that are open at the same time', async () => {
  const counter = await counterOf((_, response) => void response.writeHead(200).write('{}\n'));
  const watch = async () => {
    const end = new AbortController();
    const answer = await fetch(`${counter.url}${sandboxes}?watch=true`, { signal: end.signal });
    return { answer, end };
  };
  const first = await watch();
  const second = await watch();
  expect(counter.counts().get('sandboxes')).toMatchObject({ lists: 0, watches: 2 });
  first.end.abort();
  second.end.abort();
  await watch();
  expect(counter.counts().get('sandboxes')).toMatchObject({ watches: 2 });
});
