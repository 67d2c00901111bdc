import 'server-only';
import { limitsStore } from '@/server/history/limits';
import { markVersions } from '@/server/history/mark-versions';
import { type Cluster, getCluster } from '@/server/kube/cluster';
import { log } from '@/server/log';
import { once } from '@/server/once';
import { Hub } from './hub';

/** The hub of this process; the first call starts watching. @throws ConfigError when no cluster is configured */
export function getHub(): Hub {
  return once('live.hub', () => {
    const limits = limitsStore();
    const marks = markVersions();
    const hub = new Hub(getCluster(), { limits: () => limits.settings, marks: (sees) => marks.of(sees) });
    limits.onChange(() => hub.beat());
    marks.onChange(() => hub.beat());
    return hub;
  });
}

/** Starts watching, for as long as the process lives. */
export function startLive(): Cluster {
  const cluster = getCluster();
  getHub();
  return cluster;
}

/** An open stream would keep the HTTP server, and with it the process, alive for ever. */
export function stopLive(signal: NodeJS.Signals): void {
  const hub = getHub();
  log.info({ key: 'live.stop', signal, streams: hub.subscribers });
  hub.stop();
  getCluster().stop();
}
