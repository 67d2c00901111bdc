import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectUrl } from '../connect';
import { Api } from './api';

let server: Server;
let api: Api;
let requests: string[];

/** An API server that takes the first request and breaks off without an answer, and answers those that follow. */
beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.method ?? '');
    if (requests.length === 1) request.socket.resetAndDestroy();
    else response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = new Api(connectUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
afterEach(async () => {
  api.close();
  await new Promise((resolve) => server.close(resolve));
});

it('reads again when the connection broke', async () => {
  await expect(api.get('/api/v1/pods')).resolves.toEqual({});
  expect(requests).toEqual(['GET', 'GET']);
});

it.each([
  ['a create', () => api.create('/api/v1/pods', {})],
  ['a patch', () => api.patch('/api/v1/pods/a', {})],
  ['a replacement', () => api.replace('/api/v1/pods/a', {})],
  ['a delete', () => api.remove('/api/v1/pods/a')],
])('does not send %s twice: the first may have been taken', async (_, write) => {
  await expect(write()).rejects.toMatchObject({ code: 0 });
  expect(requests).toHaveLength(1);
});
