import http from 'node:http';
import net from 'node:net';
import type { FuzzRequest } from './requests';

/** What came back. `partial` is set when the client did not wait for the end. */
export interface Answer {
  status: number;
  type: string;
  text: string;
  partial: boolean;
}

const PATIENCE_MS = 30_000;
/** So much of a watch is looked at. */
const WATCH_MS = 5;

const isWatch = (path: string) => /[?&]watch=(?!false|0)/.test(path);

/** Sends a request and waits for its answer; undefined where the client itself went away or could not send such a thing. */
export function exchange(url: URL, agent: http.Agent, request: FuzzRequest): Promise<Answer | undefined> {
  return request.sent === 'raw' ? raw(url, request) : whole(url, agent, request);
}

function whole(
  url: URL,
  agent: http.Agent,
  { method, path, headers, body, sent }: FuzzRequest,
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = url;
    let open: http.ClientRequest;
    try {
      open = http.request({
        hostname,
        port,
        agent,
        method,
        path,
        timeout: PATIENCE_MS,
        ...(sent === 'torn' ? { agent: false } : {}),
      });
      for (const [name, value] of headers) if (value !== '') open.setHeader(name, value);
      open.setHeader('Content-Length', sent === 'torn' ? body.length + 10 : body.length);
    } catch {
      // The client refuses to send what is no HTTP; raw requests do that.
      open ??= http.request({ hostname, port, agent: false });
      open.on('error', () => undefined).destroy();
      resolve(undefined);
      return;
    }
    open.on('timeout', () => open.destroy(new Error('no answer')));
    open.on('error', (error) => (sent === 'torn' ? resolve(undefined) : reject(error)));
    // A promise is settled once; this counts where nothing else was said.
    open.on('close', () =>
      sent === 'torn' ? resolve(undefined) : reject(new Error('closed before the whole answer')),
    );
    open.on('response', (answer) => {
      let text = '';
      const done = (partial: boolean) =>
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text, partial });
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      const watches = answer.statusCode === 200 && isWatch(path);
      // A watch may end, by its own timeout, before there was anything to tell.
      answer.on('end', () => done(method === 'HEAD' || (watches && text === '')));
      if (watches) {
        setTimeout(() => {
          open.destroy();
          done(true);
        }, WATCH_MS);
      }
      answer.on('error', () => done(true));
    });
    if (sent === 'torn') {
      open.write(body);
      open.flushHeaders();
      setImmediate(() => open.destroy());
    } else {
      open.end(body);
    }
  });
}

/** Writes the bytes of a request, whatever they are, and takes what comes until the server hangs up. */
function raw(url: URL, { method, path, headers, body }: FuzzRequest): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(url.port), url.hostname);
    const chunks: Buffer[] = [];
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const length = body.length === 0 ? '' : `Content-Length: ${body.length}\r\n`;
    socket.write(Buffer.from(`${method} ${path} HTTP/1.0\r\nHost: fuzz\r\n${lines}${length}\r\n`, 'utf8'));
    socket.write(body);
    socket.setTimeout(isWatch(path) ? 50 : PATIENCE_MS, () =>
      socket.destroy(isWatch(path) ? undefined : new Error('no answer')),
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      /^(ECONNRESET|EPIPE)$/.test(error.code ?? '') ? undefined : reject(error),
    );
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
      const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
      resolve(
        Number.isNaN(status)
          ? undefined
          : { status, type, text: rest.join('\r\n\r\n'), partial: isWatch(path) || method === 'HEAD' },
      );
    });
  });
}
