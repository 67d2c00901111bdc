import type { IncomingMessage } from 'node:http';

/** Where a request goes: to a port of a sandbox, or to the manager. */
export type Target = { kind: 'sandbox'; id: string; port: number; path: string } | { kind: 'manager' } | undefined;

const byHost = /^(\d+)-([a-zA-Z0-9-]+)\./;
const byPath = /^\/kruise\/([^/]+)\/(\d+)(\/.*)?$/s;

/**
 * By a path of `/kruise`; else by a host that begins with `api.`, by headers, or by host, as the manager's own ext_proc
 * does (recorded: gateway). Undefined: by none of them.
 * @param path and query, as sent
 */
export function targetOf({ headers, url: path = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): Target {
  if (path.startsWith('/kruise')) {
    if (path.startsWith('/kruise/api')) return { kind: 'manager' };
    const [, pathId, pathPort, rest = '/'] = byPath.exec(path) ?? [];
    return pathId === undefined ? undefined : { kind: 'sandbox', id: pathId, port: Number(pathPort), path: rest };
  }
  const { host = '', 'e2b-sandbox-id': headerId, 'e2b-sandbox-port': headerPort } = headers;
  if (/^api\./i.test(host)) return { kind: 'manager' };
  const [, hostPort, hostId] = byHost.exec(host) ?? [];
  const [id, port] = headerId ? [headerId, headerPort] : [hostId, hostPort];
  if (typeof id !== 'string' || typeof port !== 'string' || !/^\d+$/.test(port)) return undefined;
  return { kind: 'sandbox', id, port: Number(port), path };
}
