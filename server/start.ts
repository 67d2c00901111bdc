import 'server-only';
import { ConfigError } from './kube/config';
import { startLive } from './live/runtime';
import { log } from './log';

/** Starts watching. Without a cluster to watch there is nothing to serve: the process says so and ends. */
export function start(): void {
  try {
    const { name, server, embedded } = startLive().info();
    log.info({ key: 'start', cluster: name, server, embedded });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
