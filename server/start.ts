import 'server-only';
import { limitsStore } from './history/limits';
import { startHistory } from './history/running';
import { ConfigError } from './kube/config';
import { startLive } from './live/runtime';
import { log } from './log';
import { markSweeper } from './triage/sweeper';
import { startUpgrades } from './upgrades/running';

/** So long the live pages wait for what is stored; it is taken up all the same when it comes. */
const patienceMs = 3_000;

/** Starts watching. Without a cluster to watch there is nothing to serve: the process says so and ends. */
export async function start(): Promise<void> {
  try {
    // Opened first, so that what is stored is at hand before the first list; without it, the rest goes on.
    await inTime(
      limitsStore()
        .recall()
        .catch(() => undefined),
    );
    const cluster = startLive();
    startHistory();
    markSweeper();
    await inTime(startUpgrades());
    const { name, server, embedded } = cluster.info();
    log.info({ key: 'start', cluster: name, server, embedded });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
