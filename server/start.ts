import 'server-only';
import { beforeTheEnd } from './ending';
import { HistoryUnavailable } from './history/database';
import { limitsStore } from './history/limits';
import { recallStarts, startHistory, stopHistory } from './history/running';
import { inTime } from './in-time';
import { ConfigError } from './kube/config';
import { startLive, stopLive } from './live/runtime';
import { log } from './log';
import { startTasks, stopTasks } from './tasks/running';
import { markSweeper } from './triage/sweeper';
import { startUpgrades, stopUpgrades } from './upgrades/running';

/** So long the live pages wait for what is stored; it is taken up all the same when it comes. */
const patienceMs = 3_000;

/** Starts watching. Without a cluster to watch there is nothing to serve: the process says so and ends. */
export async function start(): Promise<void> {
  try {
    // Opened first, so that what is stored is at hand before the first list; without it, the rest goes on.
    const recalled = Promise.all([limitsStore().recall(), recallStarts()]);
    await inTime(
      recalled.catch(() => undefined),
      patienceMs,
    );
    const cluster = startLive();
    startHistory();
    markSweeper();
    startTasks();
    beforeTheEnd(stop);
    await inTime(startUpgrades(), patienceMs);
    const { name, server, embedded } = cluster.info();
    log.info({ key: 'start', cluster: name, server, embedded });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** First nothing more is seen, then what was seen is stored. */
async function stop(signal: NodeJS.Signals): Promise<void> {
  stopLive(signal);
  await Promise.all([
    stopHistory(),
    ...[stopUpgrades(), stopTasks()].map((stopped) =>
      stopped.catch((error: unknown) => {
        // The database says itself why it is away.
        if (!(error instanceof HistoryUnavailable)) throw error;
      }),
    ),
  ]);
}
