import http, { type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { argumentOf, ended, say, untilFinished } from './program-io';

/** Many tabs as the console's server sees them: one list, then a stream each that takes whatever comes. */
const { url, clients } = argumentOf(z.object({ url: z.string(), clients: z.number() }));
const signal = untilFinished();
const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });

const rows: unknown = await (await fetch(`${url}/api/v1/rows`)).json();
const { cursor } = z.looseObject({ cursor: z.string() }).parse(rows);
const state = { open: 0, gaps: 0, bytes: 0 };

function connect(): Promise<void> {
  return new Promise((resolve, reject) => {
    const address = `${url}/api/v1/stream?cursor=${cursor}`;
    http
      .get(address, { agent, headers: { accept: 'text/event-stream' } }, (answer: IncomingMessage) => {
        if (answer.statusCode !== 200) return reject(new Error(`the stream was answered with ${answer.statusCode}`));
        state.open += 1;
        resolve();
        answer.on('data', (chunk: Buffer) => {
          state.bytes += chunk.length;
          // The server's last word to a client that was too slow is short; rows come in big pieces.
          if (chunk.length < 200 && chunk.includes('"type":"gap"')) state.gaps += 1;
        });
        answer.on('error', () => undefined);
        answer.on('close', () => {
          state.open -= 1;
        });
      })
      .on('error', reject);
  });
}

await Promise.all(Array.from({ length: clients }, connect));
const startedAt = Date.now();
state.bytes = 0;
say('ready');
await ended(signal);
say({ ...state, seconds: (Date.now() - startedAt) / 1000 });
process.exit();
