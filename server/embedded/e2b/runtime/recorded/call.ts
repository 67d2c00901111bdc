import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { TOKEN } from '../testing';
import type { Exchange } from './exchange';

const eventSchema = z.looseObject({
  event: z
    .looseObject({
      start: z.object({ pid: z.number() }).optional(),
      data: z.record(z.string(), z.string()).optional(),
      end: z.unknown().optional(),
    })
    .optional(),
});

/** Frames of one answer as they come. */
export class Frames {
  readonly all: { flags: number; json: unknown }[] = [];
  readonly output: Record<string, Buffer> = {};
  pid: number | undefined;
  ended = false;
  private rest = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= 5 && this.rest.length >= 5 + this.rest.readUInt32BE(1)) {
      const end = 5 + this.rest.readUInt32BE(1);
      this.take(this.rest.readUInt8(0), JSON.parse(this.rest.subarray(5, end).toString('utf8')));
      this.rest = this.rest.subarray(end);
    }
  }

  take(flags: number, json: unknown): void {
    this.all.push({ flags, json });
    const { event } = eventSchema.parse(json);
    this.pid = event?.start?.pid ?? this.pid;
    if (event?.end || flags === 2) this.ended = true;
    for (const [name, text] of Object.entries(event?.data ?? {})) {
      this.output[name] = Buffer.concat([this.output[name] ?? Buffer.alloc(0), Buffer.from(text, 'base64')]);
    }
  }
}

export interface Call {
  readonly frames: Frames;
  readonly answered: Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>;
  hangUp(): void;
}

function bodyOf(exchange: Exchange, replaced: (value: unknown) => unknown): Buffer | undefined {
  if (exchange.message !== undefined) {
    const text = Buffer.from(JSON.stringify(replaced(exchange.message)));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(text.length, 1);
    return Buffer.concat([head, text]);
  }
  if (exchange.base64 !== undefined) return Buffer.from(exchange.base64, 'base64');
  if (exchange.body === undefined) return undefined;
  return Buffer.from(typeof exchange.body === 'string' ? exchange.body : JSON.stringify(replaced(exchange.body)));
}

/** Sends what was recorded to a Pod of the door. */
export function call(url: string, pod: string, exchange: Exchange, replaced: (value: unknown) => unknown): Call {
  const frames = new Frames();
  const headers: Record<string, string> = { ...exchange.headers, 'e2b-sandbox-id': pod };
  if (exchange.token !== 'none') headers['x-access-token'] = exchange.token === 'right' ? TOKEN : 'another';
  const request = http.request(url + exchange.path, { method: exchange.method, headers });
  const answered = new Promise<Awaited<Call['answered']>>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      const isStream = response.headers['content-type'] === 'application/connect+json';
      response.on('data', (chunk) => (isStream ? frames.add(chunk) : chunks.push(chunk)));
      response.on('close', () => {
        const body = Buffer.concat(chunks);
        const plain = response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: plain });
      });
    });
  });
  request.end(bodyOf(exchange, replaced));
  return { frames, answered, hangUp: () => request.destroy() };
}
