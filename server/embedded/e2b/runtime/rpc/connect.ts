import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { z } from 'zod';
import { LIMITS } from '../limits';

// The Connect protocol with JSON, as far as the client of E2B speaks it.

const STATUS = {
  already_exists: 409,
  deadline_exceeded: 504,
  internal: 500,
  invalid_argument: 400,
  not_found: 404,
  resource_exhausted: 429,
  unauthenticated: 401,
  unimplemented: 501,
} as const;

export class RpcError extends Error {
  constructor(
    readonly code: keyof typeof STATUS,
    message: string,
  ) {
    super(message);
  }
}

const END_OF_STREAM = 2;

/** The body of a request. @throws RpcError when it is too large */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let held = 0;
  // What is too much is read all the same: a client that still sends would not see the answer.
  for await (const chunk of request) {
    held += chunk.length;
    if (held > most) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (held > most) {
    throw new RpcError('resource_exhausted', `message size ${held} is larger than configured max ${most}`);
  }
  return Buffer.concat(chunks);
}

function decode<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(text === '' ? {} : JSON.parse(text));
  } catch (error) {
    throw new RpcError('invalid_argument', `unmarshal message: ${error instanceof Error ? error.message : error}`);
  }
}

export async function readMessage<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  return decode(schema, (await readBody(request, LIMITS.requestBytes)).toString('utf8'));
}

/** The one message that the request of a stream from the server has. */
export async function readStreamMessage<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const body = await readBody(request, LIMITS.requestBytes);
  if (body.length < 5 || body.length < 5 + body.readUInt32BE(1))
    throw new RpcError('invalid_argument', 'protocol error: incomplete envelope');
  if (body[0] !== 0) throw new RpcError('unimplemented', `unknown compression or flags ${body[0]}`);
  return decode(schema, body.subarray(5, 5 + body.readUInt32BE(1)).toString('utf8'));
}

/** The answer of a unary call: compressed for whoever takes it; errors never are. */
export function sendMessage(request: IncomingMessage, response: ServerResponse, message: object): void {
  const text = JSON.stringify(message);
  const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = isGzip ? gzipSync(text) : Buffer.from(text);
  if (isGzip) response.setHeader('content-encoding', 'gzip');
  response.writeHead(200, {
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
    'content-length': body.length,
  });
  response.end(body);
}

export function sendError(response: ServerResponse, error: RpcError): void {
  const body = JSON.stringify({ code: error.code, message: error.message });
  const headers = {
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  response.writeHead(STATUS[error.code], headers).end(body);
}

const envelope = (flags: number, message: object): Buffer => {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
};

/** What a request that was refused before its stream began is answered. */
export function refuseStream(response: ServerResponse, error: RpcError): void {
  const body = envelope(END_OF_STREAM, { error: { code: error.code, message: error.message } });
  response.writeHead(200, { 'content-type': 'application/connect+json', 'content-length': body.length }).end(body);
}

/** Messages from the server, until one side ends them. */
export class Stream {
  private readonly closing = new AbortController();
  private idle: NodeJS.Timeout | undefined;
  private readonly pingMs: number;
  private keepalive: object | undefined;
  private drained: Promise<void> | undefined;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    const seconds = Number(request.headers['keepalive-ping-interval']);
    this.pingMs = (Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) : 90) * 1000;
    response.writeHead(200, { 'connect-accept-encoding': 'gzip', 'content-type': 'application/connect+json' });
    response.once('close', () => {
      clearTimeout(this.idle);
      this.closing.abort();
    });
  }

  /** Aborted when nobody reads any more, or everything was said. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Sends this whenever nothing else was sent for a while. */
  keepAlive(message: object): void {
    this.keepalive = message;
    this.rest();
  }

  /** Waits for a client that is slow. */
  async send(message: object): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.rest();
    if (this.response.write(envelope(0, message))) return;
    this.drained ??= once(this.response, 'drain', { signal: this.closing.signal }).then(
      () => {
        this.drained = undefined;
      },
      () => {},
    );
    await this.drained;
  }

  end(error?: RpcError): void {
    if (this.closing.signal.aborted || this.response.writableEnded) return;
    clearTimeout(this.idle);
    this.keepalive = undefined;
    this.response.end(envelope(END_OF_STREAM, error ? { error: { code: error.code, message: error.message } } : {}));
  }

  /** Ends it as a broken connection does. */
  cut(): void {
    this.response.destroy();
  }

  private rest(): void {
    clearTimeout(this.idle);
    const { keepalive } = this;
    if (!keepalive) return;
    this.idle = setTimeout(() => void this.send(keepalive), this.pingMs).unref();
  }
}

/** The user of a request to a service: `Authorization: Basic base64("user:")`. */
export function userName(request: IncomingMessage): string | undefined {
  const found = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? '');
  return found?.[1] === undefined ? undefined : Buffer.from(found[1], 'base64').toString('utf8').split(':')[0];
}

/** `Connect-Timeout-Ms` */
export function timeoutOf(request: IncomingMessage): number | undefined {
  const text = String(request.headers['connect-timeout-ms'] ?? '');
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}
