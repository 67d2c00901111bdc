import 'server-only';
import { limitsStore } from '@/server/history/limits';
import { type Cluster, getCluster } from '@/server/kube/cluster';
import { log } from '@/server/log';
import { once } from '@/server/once';
import { Hub } from './hub';

/** The hub of this process; the first call starts watching. @throws ConfigError when no cluster is configured */
export function getHub(): Hub {
  return once('live.hub', () => {
    const limits = limitsStore();
    const hub = new Hub(getCluster(), { limits: () => limits.settings });
    limits.onChange(() => hub.beat());
    return hub;
  });
}

/** Starts everything that lives as long as the process, and lets it end quickly when it is told to. */
export function startLive(): Cluster {
  const cluster = getCluster();
  const hub = getHub();
  // An open stream would keep the HTTP server, and with it the process, alive for ever.
  const stop = (signal: NodeJS.Signals) => {
    log.info({ key: 'live.stop', signal, streams: hub.subscribers });
    hub.stop();
    cluster.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return cluster;
}
