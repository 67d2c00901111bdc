import http from 'node:http';
import https from 'node:https';
import type { ApiConnection } from '../controllers/connect';

/** A request as it goes out. */
export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** What came back: only the headers that an API server's promises are about. */
export interface Received {
  status: number;
  warning?: string;
  retryAfter?: string;
  text: string;
}

/** An open watch, whose lines can be waited for. */
export interface OpenWatch {
  /** The next lines, this many, or fewer when the watch ends or nothing more comes for a while. */
  next(count: number): Promise<string[]>;
  close(): void;
}

const PATIENCE_MS = 15_000;

/** Sends requests as they are written, and gives answers as they come: nothing is retried or interpreted. */
export class Client {
  readonly #agent: http.Agent;
  readonly #base: URL;
  readonly #headers: Record<string, string>;

  /** `name` is what the client calls itself; '' for a client without a name. */
  constructor(connection: ApiConnection, name = 'conformance/1') {
    this.#base = new URL(connection.baseUrl);
    const Agent = this.#base.protocol === 'https:' ? https.Agent : http.Agent;
    this.#agent = new Agent({ keepAlive: true, ...connection.tls });
    this.#headers = { 'User-Agent': name, ...connection.headers };
  }

  async send(sent: Sent): Promise<Received> {
    let text = '';
    try {
      const response = await this.#open(sent);
      response.setEncoding('utf8');
      for await (const chunk of response) text += chunk;
      return { ...headOf(response), text };
    } catch (error) {
      // No answer, or half of one, is an answer too: it is compared like any other.
      return { status: 0, text: `${String(error)} after ${text.length} characters` };
    }
  }

  async watch(sent: Sent): Promise<OpenWatch> {
    const response = await this.#open(sent);
    const lines: string[] = [];
    let ended = false;
    let wake = () => {};
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.filter((line) => line !== ''));
      wake();
    });
    const end = () => {
      ended = true;
      wake();
    };
    response.on('close', end).on('error', end);
    return {
      next: async (count) => {
        const deadline = Date.now() + PATIENCE_MS;
        while (lines.length < count && !ended && Date.now() < deadline) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, deadline - Date.now());
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
        return lines.splice(0, count);
      },
      close: () => response.destroy(),
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #open({ method, path, headers, body }: Sent): Promise<http.IncomingMessage> {
    const { request } = this.#base.protocol === 'https:' ? https : http;
    const payload = body === undefined ? undefined : Buffer.from(body);
    return new Promise((resolve, reject) => {
      const open = request(
        {
          protocol: this.#base.protocol,
          hostname: this.#base.hostname,
          port: this.#base.port,
          path,
          method,
          agent: this.#agent,
          // An empty header is one that is not sent.
          headers: Object.fromEntries(
            Object.entries({
              ...this.#headers,
              ...(payload === undefined ? {} : { 'Content-Length': String(payload.length) }),
              ...headers,
            }).filter(([, value]) => value !== ''),
          ),
        },
        resolve,
      );
      open.on('error', reject);
      open.end(payload);
    });
  }
}

function headOf({ statusCode = 0, headers }: http.IncomingMessage): Omit<Received, 'text'> {
  const { warning } = headers;
  const retryAfter = headers['retry-after'];
  return {
    status: statusCode,
    ...(warning === undefined ? {} : { warning }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
