import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import { listenOn } from '../apiserver/serving/listener';
import type { Cluster } from '../controllers/cluster';
import { PickLock } from '../controllers/sandboxclaim/pick';
import { portError } from '../options';
import { RuntimePods } from './gateway/runtime-pods';
import { gatewayApi, gatewayServer } from './gateway/server';
import { HttpDoor } from './http-door';
import type { Manager } from './manager/call';
import { Keys } from './manager/keys';
import { ManagerMetrics } from './manager/metrics';
import { managerApi, managerServer } from './manager/server';
import { Waits } from './manager/waits';
import type { StartRuntimes } from './runtime/contract';

/** sandbox-manager and its gateway as faults see them. */
export interface E2bDoor {
  manager: HttpDoor;
  gateway: HttpDoor;
  runtimes: RuntimePods;
  /** Gives the admin another key, in the file too; returns the way back. */
  rotateKey(): () => void;
}

export interface E2bOptions {
  cluster: Cluster;
  /** The cluster's own folder. */
  dir: string;
  startRuntimes: StartRuntimes;
  /** 0 for any free one. */
  port?: number;
  gatewayPort?: number;
}

export interface E2b {
  url: string;
  gatewayUrl: string;
  /** Holds the key, for its owner only. */
  keyFile: string;
  door: E2bDoor;
  stop(): Promise<void>;
}

/** Serves the E2B-compatible API of a cluster and the way to its runtimes, on the loopback address. */
export async function startE2b({ cluster, dir, startRuntimes, port = 0, gatewayPort = 0 }: E2bOptions): Promise<E2b> {
  mkdirSync(dir, { recursive: true });
  const runtimes = startRuntimes({ dir: path.join(dir, 'sandboxes') });
  const pods = new RuntimePods(cluster, runtimes);
  const keys = new Keys();
  const keyFile = path.join(dir, 'e2b-key');
  const keep = () => {
    // The mode counts only for a new file.
    rmSync(keyFile, { force: true });
    writeFileSync(keyFile, `${keys.adminKey}\n`, { mode: 0o600, flag: 'wx' });
  };
  keep();
  const manager: Manager = {
    cluster,
    keys,
    waits: new Waits(cluster.sandboxes),
    metrics: new ManagerMetrics(),
    lock: new PickLock(),
    runtimes: pods,
  };
  const serveManager = managerApi(manager);
  const managerDoor = await open(managerServer, serveManager, port, 'e2b-port');
  const serveGateway = gatewayApi({ cluster, runtimes, pods, manager: serveManager });
  const gatewayDoor = await open(gatewayServer, serveGateway, gatewayPort, 'gateway-port');
  const rotateKey = () => {
    const old = keys.rotate();
    keep();
    return () => {
      keys.rotate(old);
      keep();
    };
  };
  return {
    url: `http://127.0.0.1:${managerDoor.door.listener.port}`,
    gatewayUrl: `http://127.0.0.1:${gatewayDoor.door.listener.port}`,
    keyFile,
    door: { manager: managerDoor.door, gateway: gatewayDoor.door, runtimes: pods, rotateKey },
    stop: async () => {
      for (const { server } of [managerDoor, gatewayDoor]) server.close().closeAllConnections();
      rmSync(keyFile, { force: true });
      await runtimes.close();
    },
  };
}

type Serve = Parameters<typeof managerServer>[0];

/** Listens, with a door for faults in front. @throws Stop when the port cannot be had */
async function open(create: (serve: Serve) => Server, serve: Serve, port: number, option: string) {
  let door: HttpDoor | undefined;
  const server = create(async (request, response) => {
    try {
      if ((await door?.faulty(request, response)) !== true) await serve(request, response);
    } catch {
      // A request that nothing can be made of, or an annotation that somebody wrote: it ends no more than this connection.
      response.destroy();
    }
  });
  const listener = await listenOn(server, port).catch((error: unknown) => {
    throw portError(error, port, option);
  });
  door = new HttpDoor(listener);
  return { server, door };
}
