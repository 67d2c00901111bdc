import http from 'node:http';
import https from 'node:https';
import type { ApiConnection } from '../connect';

/** A refusal of the API server, or (code 0) no answer at all. `reason` is the Status reason, '' when it has none. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 404;
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 409;

export type PatchType = 'merge' | 'json' | 'strategic';

const patchContentType: Record<PatchType, string> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

const userAgent = 'agents-simulator/1';

/** REST calls of one process to one API server, over a few kept-alive connections. Every call throws {@link ApiError}. */
export class Api {
  private readonly agent: http.Agent;
  private readonly watchAgent: http.Agent;
  private readonly base: URL;

  /** Told of every answer: its code, and the method of the request. */
  onAnswer: (code: number, method: string) => void = () => {};

  constructor(private readonly connection: ApiConnection) {
    this.base = new URL(connection.baseUrl);
    const Agent = this.base.protocol === 'https:' ? https.Agent : http.Agent;
    this.agent = new Agent({ keepAlive: true, maxSockets: 32, scheduling: 'lifo', ...connection.tls });
    this.watchAgent = new Agent({ keepAlive: false, ...connection.tls });
  }

  get = (path: string): Promise<unknown> => this.call('GET', path);
  create = (path: string, body: unknown): Promise<unknown> => this.call('POST', path, body, 'application/json');
  replace = (path: string, body: unknown): Promise<unknown> => this.call('PUT', path, body, 'application/json');
  remove = (path: string, options: Record<string, unknown> = {}): Promise<unknown> =>
    this.call('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options }, 'application/json');
  patch = (path: string, body: unknown, type: PatchType = 'merge'): Promise<unknown> =>
    this.call('PATCH', path, body, patchContentType[type]);

  /** Closes the kept-alive connections. */
  close(): void {
    this.agent.destroy();
    this.watchAgent.destroy();
  }

  private async call(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown> {
    try {
      return await this.once(method, path, body, contentType);
    } catch (error) {
      // A kept-alive connection can be closed by the server just as it is used again. Whether the request was read then
      // is not known, so a write is not repeated here: its caller looks at what is there first.
      const code = (error as NodeJS.ErrnoException).code;
      if (method === 'GET' && (code === 'ECONNRESET' || code === 'EPIPE')) return await this.once(method, path);
      throw error instanceof ApiError ? error : new ApiError(0, '', String(error));
    }
  }

  private once(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown> {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const request = this.open(method, path, this.agent, {
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
        ...(payload === undefined ? {} : { 'Content-Length': String(payload.length) }),
      });
      request.setTimeout(60_000, () => request.destroy(new Error(`${method} ${path}: no answer for 60 s`)));
      request.on('error', reject);
      request.on('response', (response) => {
        readText(response).then((text) => {
          const status = response.statusCode ?? 0;
          if (status < 300) resolve(text === '' ? undefined : JSON.parse(text));
          else reject(refusal(status, text));
        }, reject);
      });
      request.end(payload);
    });
  }

  /**
   * Opens a watch and calls `onLine` for every line. Resolves when the server ends it, rejects when it was refused or broke;
   * both also when nothing at all came for `silenceMs`.
   */
  watch(path: string, signal: AbortSignal, silenceMs: number, onLine: (line: string) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = this.open('GET', path, this.watchAgent, {});
      const stop = () => request.destroy(new Error('aborted'));
      signal.addEventListener('abort', stop, { once: true });
      const finish = (settle: () => void) => {
        signal.removeEventListener('abort', stop);
        settle();
      };
      request.setTimeout(silenceMs, () => request.destroy(new Error(`watch ${path}: silent for ${silenceMs} ms`)));
      request.on('error', (error) => finish(() => reject(error)));
      request.on('response', (response) => {
        if (response.statusCode !== 200) {
          readText(response).then(
            (text) => finish(() => reject(refusal(response.statusCode ?? 0, text))),
            (error) => finish(() => reject(error)),
          );
          return;
        }
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) if (line !== '') onLine(line);
        });
        response.on('error', (error) => finish(() => reject(error)));
        response.on('end', () => finish(resolve));
      });
      request.end();
    });
  }

  private open(method: string, path: string, agent: http.Agent, headers: Record<string, string>): http.ClientRequest {
    const module = this.base.protocol === 'https:' ? https : http;
    const prefix = this.base.pathname.replace(/\/$/, '');
    const request = module.request({
      protocol: this.base.protocol,
      hostname: this.base.hostname.replace(/^\[|\]$/g, ''),
      port: this.base.port,
      path: prefix + path,
      method,
      agent,
      headers: { Accept: 'application/json', 'User-Agent': userAgent, ...this.connection.headers, ...headers },
    });
    request.on('response', ({ statusCode = 0 }) => this.onAnswer(statusCode, method));
    return request;
  }

  /** Host and port of the API server. */
  get host(): string {
    return this.base.host;
  }
}

function readText(response: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.on('error', reject);
  });
}

function refusal(code: number, text: string): ApiError {
  try {
    const status = JSON.parse(text) as { reason?: unknown; message?: unknown };
    return new ApiError(code, String(status.reason ?? ''), String(status.message ?? text));
  } catch {
    return new ApiError(code, '', text.trim());
  }
}
