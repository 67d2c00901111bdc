import 'server-only';
import { phaseHistory } from './history/phases';
import { ConfigError } from './kube/config';
import { startLive } from './live/runtime';
import { log } from './log';

/** Starts watching. Without a cluster to watch there is nothing to serve: the process says so and ends. */
export function start(): void {
  try {
    const cluster = startLive();
    // Recorded from now on, not from the first time that somebody looks.
    phaseHistory(cluster);
    const { name, server, embedded } = cluster.info();
    log.info({ key: 'start', cluster: name, server, embedded });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
