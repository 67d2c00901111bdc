import { mkdtempSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startRuntimes } from './runtimes';

export const TOKEN = 'token-of-this-sandbox';

/** Runtimes behind a door that takes the place of manager and gateway: it creates sandboxes and leads to their Pods. */
export async function startDoor() {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'e2b-runtime-'));
  const runtimes = startRuntimes({ dir });
  let created = 0;
  const server = http.createServer((request, response) => {
    const uid = String(request.headers['e2b-sandbox-id'] ?? '');
    if (uid !== '') return runtimes.handle(uid, request.url ?? '/', request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { envVars = {} } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      created += 1;
      const sandboxID = `pod-${created}`;
      runtimes.init(sandboxID, { token: TOKEN, env: envVars });
      const answer = { templateID: 'python', sandboxID, envdVersion: '0.2.10', envdAccessToken: TOKEN, domain: '' };
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  // A slow machine must not find a connection closed that it is about to use.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    dir,
    url,
    runtimes,
    close: async () => {
      await runtimes.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Door = Awaited<ReturnType<typeof startDoor>>;
