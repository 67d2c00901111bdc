import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The door in front of an API server. Shut, it is what a client sees of an API server that was killed: connections are
 * reset and new ones refused. What is behind the door goes on, as objects outlive an API server in etcd; so after it
 * opens again, much has changed and must be found out.
 */
export interface Gate {
  /** `http://127.0.0.1:PORT`, the same for ever. */
  url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** @param target where it leads to, an `http://host:port` */
export async function openGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Either end may break off; the other is told by the end of its own socket.
    socket.on('error', () => socket.destroy());
  };
  const server: Server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    keep(inner);
    keep(outer);
    inner.pipe(outer).pipe(inner);
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
  });
  const listen = (on: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(on, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const own = await listen(0);
  return {
    url: `http://127.0.0.1:${own}`,
    async shut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
    async open() {
      if (!server.listening) await listen(own);
    },
  };
}
