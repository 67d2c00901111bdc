import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveBothProtocols } from './both-protocols';
import type { Certificate } from './certificate';

/** A server that listens on the loopback address, and can be made not to for a while. */
export interface Listener {
  port: number;
  /**
   * Ends every connection in the middle of a word and refuses new ones, until the returned function is called; of several, the
   * last one's. That rejects when the port is taken, and may be called again.
   */
  suspend(): Promise<() => Promise<void>>;
}

/**
 * Listens on a port; 0 picks a free one. Rejects with the system's error (`EADDRINUSE`) when it is taken.
 * @param certificate for HTTPS beside HTTP
 */
export async function listenOn(server: Server, wanted: number, certificate?: Certificate): Promise<Listener> {
  const cutSilent = certificate === undefined ? () => undefined : serveBothProtocols(server, certificate);
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const hangUp = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    cutSilent();
    await closed;
  };
  await listen(wanted);
  const { port } = server.address() as AddressInfo;
  let suspensions = 0;
  let settled: Promise<void> = Promise.resolve();
  /** Listens while nobody wants it not to; one change after the other. */
  const settle = () => {
    settled = settled
      .catch(() => undefined)
      .then(() => {
        if (suspensions > 0) return server.listening ? hangUp() : undefined;
        return server.listening ? undefined : listen(port);
      });
    return settled;
  };
  return {
    port,
    suspend: async () => {
      suspensions += 1;
      await settle();
      let ended = false;
      return () => {
        if (!ended) suspensions -= 1;
        ended = true;
        return settle();
      };
    },
  };
}
