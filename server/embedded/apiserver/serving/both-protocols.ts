import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from './certificate';

const TLS_HANDSHAKE = 0x16;

/**
 * Lets a server answer https on the port of http, told apart by the first byte: kubectl sends tokens over TLS only, while
 * tests and proxies on this machine are simpler without. Returns how to cut off connections that never said a word.
 */
export function serveBothProtocols(server: Server, certificate: Certificate): () => void {
  const secureContext = createSecureContext(certificate);
  const [accept] = server.listeners('connection');
  const silent = new Set<Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    const forget = () => silent.delete(socket);
    socket.once('close', forget);
    socket.on('error', () => socket.destroy());
    // Who leaves without a word leaves half a connection open.
    socket.once('end', () => {
      if (silent.has(socket)) socket.destroy();
    });
    const peek = () => {
      const first: Buffer | null = socket.read(1);
      if (first === null) {
        socket.once('readable', peek);
        return;
      }
      forget();
      socket.unshift(first);
      const stream = first[0] === TLS_HANDSHAKE ? new TLSSocket(socket, { isServer: true, secureContext }) : socket;
      if (stream !== socket) stream.on('error', () => socket.destroy());
      accept?.call(server, stream);
    };
    peek();
  });
  return () => {
    for (const socket of silent) socket.destroy();
  };
}
