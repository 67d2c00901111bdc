import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError } from '../../controllers/client/api';
import { Refusal, sendAnswer, sendRefusal, sendText } from './answers';
import type { Handler, Manager } from './call';
import { DecodeError } from './go-json';
import { Router } from './router';
import { routes } from './routes';

const bodyLimit = 4 * 1024 * 1024;

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** sandbox-manager's HTTP API (pkg/servers/e2b at 0b72c83a), without a listener. */
export function managerApi(manager: Manager): Serve {
  const router = new Router<Handler>(routes);
  return async (request, response) => {
    const { method = 'GET', headers } = request;
    const url = new URL(`http://localhost${request.url ?? '/'}`);
    if (isOpen(method, url.pathname)) return sendOpen(manager, url.pathname, response);
    const match = router.match(method, url.pathname);
    if (match.kind === 'unknown') return sendText(response, 404, '404 page not found');
    if (match.kind === 'wrong-method') return sendText(response, 405, 'Method Not Allowed', { Allow: match.allow });
    const requestId = String(headers['x-request-id'] ?? randomBytes(16).toString('hex'));
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    try {
      const user = manager.keys.user(headers['x-api-key']?.toString());
      if (user === undefined) throw new Refusal(401, 'Invalid API Key');
      const { params, handle } = match;
      const body = await readBody(request);
      const { host = '' } = headers;
      const call = { manager, user, params, query: url.searchParams, headers, body, host, signal: leaving.signal };
      sendAnswer(response, requestId, await handle(call));
    } catch (error) {
      if (!leaving.signal.aborted) sendRefusal(response, requestId, told(error));
    }
  };
}

/** A server for it; it listens nowhere yet. */
export const managerServer = (serve: Serve): Server =>
  createServer((request, response) => void serve(request, response));

const isOpen = (method: string, path: string) =>
  (method === 'GET' || method === 'HEAD') && (path === '/health' || path === '/metrics');

/** Needs no key. */
function sendOpen(manager: Manager, path: string, response: ServerResponse): void {
  const metrics = path === '/metrics';
  const type = metrics ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(200, { 'Content-Type': type });
  response.end(metrics ? manager.metrics.text([...manager.cluster.sandboxes.list()].length) : 'OK');
}

/** What a mistake of the decoder, or a refusal of the API server, comes to. */
function told(error: unknown): unknown {
  if (error instanceof DecodeError) return new Refusal(0, error.message);
  if (error instanceof ApiError) return new Refusal(error.code === 409 ? 409 : 500, `Internal: ${error.message}`);
  return error instanceof Refusal ? error : new Refusal(0, error instanceof Error ? error.message : String(error));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyLimit) throw new Refusal(413, 'request body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
