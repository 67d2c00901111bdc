import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import { z } from 'zod';
import type { RuntimeInit } from './contract';
import { HttpError, serveFiles } from './files-api';
import { Folder, isUser, type User } from './folder';
import { ProcessTable } from './processes';
import type { Pythons } from './python/python';
import { RpcError, readBody, refuseStream, sendError, userName } from './rpc/connect';
import { FilesystemService } from './rpc/filesystem-service';
import { ProcessService } from './rpc/process-service';
import type { Machine } from './shell/state';

const initSchema = z.object({
  envVars: z.record(z.string(), z.string()).nullish(),
  accessToken: z.string().nullish(),
});

const UNAUTHORIZED = 'unauthorized access, please provide a valid access token or method signing if supported';
/** Paths with rules of their own, or none. */
const OPEN = ['GET /health', 'GET /files', 'POST /files'];

/** envd 0.2.10 in one Pod: files, processes and their HTTP service. */
export class Runtime {
  private readonly folder: Folder;
  private readonly table = new ProcessTable();
  private readonly process: ProcessService;
  private readonly filesystem: FilesystemService;
  private state: RuntimeInit = { token: undefined, env: {} };
  private readonly open = new Set<ServerResponse>();

  /** @param root an own folder, deleted in the end */
  constructor(
    podUid: string,
    root: string,
    private readonly pythons: Pythons,
  ) {
    this.folder = new Folder(root);
    const machine: Machine = {
      folder: this.folder,
      processes: this.table,
      hostname: podUid.slice(0, 13),
      python: (job, io, process) => pythons.run(root, job, io, process),
    };
    this.process = new ProcessService(machine, () => this.state);
    this.filesystem = new FilesystemService(this.folder);
  }

  init(init: RuntimeInit): void {
    this.state = init;
    this.pythons.prepare(this.folder.root);
  }

  async handle(address: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    // Nobody may read what a client broken off half-way sends.
    request.on('error', () => {});
    response.on('error', () => {});
    response.setHeader('vary', 'Origin');
    if (request.headers.origin !== undefined) response.setHeader('access-control-allow-origin', '*');
    try {
      await this.answer(new URL(address, 'http://runtime'), request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const known =
        error instanceof HttpError ? error : new HttpError(500, error instanceof Error ? error.message : String(error));
      const body = JSON.stringify({ code: known.status, message: known.message });
      const headers = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' };
      response.writeHead(known.status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    }
  }

  /** The Pod is gone: connections break, processes die, files are deleted. */
  async kill(): Promise<void> {
    this.process.cut();
    for (const response of this.open) response.destroy();
    this.filesystem.close();
    this.table.killAll();
    this.pythons.forget(this.folder.root);
    await this.folder.delete();
  }

  private async answer(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') return preflight(request, response);
    const route = `${request.method} ${url.pathname}`;
    const { token } = this.state;
    if (token !== undefined && request.headers['x-access-token'] !== token && !OPEN.includes(route))
      throw new HttpError(401, UNAUTHORIZED);
    switch (route) {
      case 'GET /health':
        response.writeHead(204, { 'cache-control': 'no-store', 'content-type': '' }).end();
        return;
      case 'POST /init':
        return this.initialize(request, response);
      case 'GET /envs':
        return sendJson(response, { E2B_SANDBOX: 'false', ...this.state.env });
      case 'GET /metrics':
        return sendJson(response, metrics());
      case 'GET /files':
      case 'POST /files':
        return serveFiles(this.folder, token, url.searchParams, request, response);
    }
    const [, service, method = ''] = /^\/(process\.Process|filesystem\.Filesystem)\/(\w+)$/.exec(url.pathname) ?? [];
    if (service === undefined) return notFound(response);
    await this.call(service === 'process.Process' ? this.process : this.filesystem, method, request, response);
  }

  private async initialize(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = initSchema.safeParse(jsonOf((await readBody(request, 1024 * 1024)).toString('utf8')));
    if (!body.success) throw new HttpError(400, `Failed to decode request: ${body.error.message}`);
    const { accessToken, envVars } = body.data;
    if (this.state.token !== undefined && accessToken && accessToken !== this.state.token)
      throw new HttpError(401, UNAUTHORIZED);
    this.init({ token: accessToken || this.state.token, env: { ...this.state.env, ...envVars } });
    response.writeHead(204, { 'cache-control': 'no-store', 'content-type': '' }).end();
  }

  private async call(
    service: ProcessService | FilesystemService,
    method: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const stream = Object.hasOwn(service.streams, method) ? service.streams[method] : undefined;
    const unary = Object.hasOwn(service.unary, method) ? service.unary[method] : undefined;
    if (!stream && !unary) return notFound(response);
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const expected = stream ? 'application/connect+json' : 'application/json';
    if (request.headers['content-type']?.split(';')[0] !== expected)
      return void response.writeHead(415, { 'accept-post': expected }).end();
    const name = userName(request);
    const refused =
      name !== undefined && !isUser(name) ? new RpcError('unauthenticated', `invalid username: '${name}'`) : undefined;
    const user = name as User | undefined;
    if (stream) return refused ? refuseStream(response, refused) : stream(request, response, user);
    try {
      if (refused) throw refused;
      // Processes can be listed and signalled by anyone with the token.
      await unary?.(request, response, user ?? 'root');
    } catch (error) {
      if (response.headersSent) throw error;
      sendError(
        response,
        error instanceof RpcError
          ? error
          : new RpcError('internal', error instanceof Error ? error.message : String(error)),
      );
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, value: object): void {
  response
    .writeHead(200, { 'cache-control': 'no-store', 'content-type': 'application/json' })
    .end(JSON.stringify(value));
}

function notFound(response: ServerResponse): void {
  response
    .writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .end('404 page not found\n');
}

/** What a browser asks before it calls from another origin. */
function preflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  const headers = request.headers['access-control-request-headers'];
  if (headers !== undefined) response.setHeader('access-control-allow-headers', headers);
  response.setHeader('access-control-allow-methods', request.headers['access-control-request-method'] ?? 'GET');
  response.writeHead(204, { 'access-control-max-age': '7200' }).end();
}

/** What envd tells of its machine, here the one that the cluster runs on. */
function metrics(): object {
  const [total, free] = [os.totalmem(), os.freemem()];
  const cores = os.cpus().length;
  const MIB = 1024 * 1024;
  return {
    ts: Math.floor(Date.now() / 1000),
    cpu_count: cores,
    cpu_used_pct: Math.min(100, Math.round(((os.loadavg()[0] ?? 0) / cores) * 10_000) / 100),
    mem_total_mib: Math.floor(total / MIB),
    mem_used_mib: Math.floor((total - free) / MIB),
    mem_total: total,
    mem_used: total - free,
  };
}
