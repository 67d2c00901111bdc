import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { targetOf } from './target';

const byHeaders = { 'e2b-sandbox-id': 'default--a', 'e2b-sandbox-port': '49983' };
const sandbox = (id: string, port: number, path: string) => ({ kind: 'sandbox', id, port, path });
const manager = { kind: 'manager' };

it.for<[url: string, headers: IncomingHttpHeaders, target: object | undefined]>([
  ['/files?path=x', byHeaders, sandbox('default--a', 49983, '/files?path=x')],
  ['/health', { host: '49983-default--b.sandboxes.test' }, sandbox('default--b', 49983, '/health')],
  ['/kruise/default--c/8080/a?b=c', {}, sandbox('default--c', 8080, '/a?b=c')],
  ['/kruise/default--c/8080', {}, sandbox('default--c', 8080, '/')],
  ['/kruise/api/sandboxes', {}, manager],
  ['/sandboxes', { host: 'api.sandboxes.test' }, manager],
  // The client sends its headers on every way; a path of /kruise beats them, also when it leads nowhere.
  ['/kruise/default--c/49983/health', byHeaders, sandbox('default--c', 49983, '/health')],
  ['/kruise/api/v2/sandboxes', byHeaders, manager],
  ['/kruise/default--c/files', byHeaders, undefined],
  // Headers beat the host, also when they lead nowhere; only the host of the API beats them.
  ['/health', { ...byHeaders, host: '8080-default--b.sandboxes.test' }, sandbox('default--a', 49983, '/health')],
  ['/health', { 'e2b-sandbox-id': 'default--a', host: '8080-default--b.sandboxes.test' }, undefined],
  ['/health', { ...byHeaders, 'e2b-sandbox-port': 'x' }, undefined],
  ['/health', { ...byHeaders, host: 'API.sandboxes.test' }, manager],
  ['/health', { host: 'localhost' }, undefined],
])('%s with %o', ([url, headers, target]) => {
  expect(targetOf({ url, headers })).toEqual(target);
});
