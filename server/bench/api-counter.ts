import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface KindRequests {
  /** Lists begun: the pages of one list count once. */
  lists: number;
  /** Most watches that were open at the same time. */
  watches: number;
}

/** A door before an API server that counts what comes through it. */
export interface ApiCounter {
  url: string;
  /** By plural. */
  counts(): ReadonlyMap<string, KindRequests>;
  close(): void;
}

type Question = { kind: string; verb: 'list' | 'watch' | 'next page' };

/** What a request asks of a whole collection; undefined for anything else. */
export function questionOf(method: string, url: string): Question | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const kind = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([^/]+)$/.exec(pathname)?.[1];
  if (method !== 'GET' || kind === undefined) return undefined;
  if (/^(1|true)$/.test(searchParams.get('watch') ?? '')) return { kind, verb: 'watch' };
  return { kind, verb: searchParams.has('continue') ? 'next page' : 'list' };
}

/** Opens it on a free port of the loopback address. */
export async function openApiCounter(target: string): Promise<ApiCounter> {
  const counts = new Map<string, KindRequests & { open: number }>();
  const agent = new http.Agent({ keepAlive: true });

  const count = (request: IncomingMessage, response: ServerResponse): void => {
    const question = questionOf(request.method ?? '', request.url ?? '/');
    if (question === undefined) return;
    const ofKind = counts.get(question.kind) ?? { lists: 0, watches: 0, open: 0 };
    counts.set(question.kind, ofKind);
    if (question.verb === 'list') ofKind.lists += 1;
    if (question.verb !== 'watch') return;
    ofKind.open += 1;
    ofKind.watches = Math.max(ofKind.watches, ofKind.open);
    response.once('close', () => {
      ofKind.open -= 1;
    });
  };

  const server = http.createServer((request, response) => {
    count(request, response);
    const { method = 'GET', headers } = request;
    const onwards = http.request(new URL(request.url ?? '/', target), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
      // A watch with nothing to say yet still tells that it is open.
      response.flushHeaders();
    });
    onwards.on('error', () => response.destroy());
    response.on('close', () => onwards.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => counts,
    close: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
