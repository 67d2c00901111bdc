import 'server-only';
import { history } from './history/database';
import { phaseHistory } from './history/phases';
import { ConfigError } from './kube/config';
import { startLive } from './live/runtime';
import { log } from './log';
import { startUpgrades } from './upgrades/running';

/** Starts watching. Without a cluster to watch there is nothing to serve: the process says so and ends. */
export async function start(): Promise<void> {
  try {
    // Opened first, so that what is stored is at hand before the first list; without it, the rest goes on.
    await history()
      .use(async () => undefined)
      .catch(() => undefined);
    const cluster = startLive();
    // Recorded from now on, not from the first time that somebody looks.
    phaseHistory(cluster);
    await startUpgrades();
    const { name, server, embedded } = cluster.info();
    log.info({ key: 'start', cluster: name, server, embedded });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
