import { createServer } from 'node:net';
import { Stop } from './report.mjs';

function listenOnce(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address.port));
    });
  });
}

/**
 * The port itself when it can be listened on (any free one for 0), or a {@link Stop} that says why not.
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number>}
 */
export async function claimPort(port, host) {
  try {
    return await listenOnce(port, host);
  } catch (error) {
    if (error.code === 'EADDRINUSE') {
      throw new Stop(
        `Port ${port} on ${host} is already in use.`,
        `End what listens there (a console that still runs?), or choose another: --port ${port + 1}`,
      );
    }
    if (error.code === 'EACCES') {
      throw new Stop(`Port ${port} needs more rights than this user has.`, 'Choose one above 1023: --port 3000');
    }
    throw new Stop(`Cannot listen on ${host} (${error.code}).`, 'Give an address of this machine: --host 127.0.0.1');
  }
}

/** `http://…` of a host and port; the unspecified addresses are reached over loopback. */
export function httpUrl(host, port) {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
