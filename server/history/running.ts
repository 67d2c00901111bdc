import 'server-only';
import { readEnvironment } from '../env';
import { earlierStarts, getCluster } from '../kube/cluster';
import { clusterNow } from '../kube/cluster-clock';
import { once } from '../once';
import { history } from './database';
import { limitsStore } from './limits';
import { keepSampling, makePhaseHistory, type PhaseHistory } from './phases';
import { readEarlierStarts } from './stays/earlier-starts';
import { Recorder } from './stays/recorder';

/** About 20 MB. */
const mostWaiting = 50_000;

/** The recorder of this process; it listens from the first call on. */
export const recorder = (): Recorder =>
  once('history.recorder', () => {
    const env = readEnvironment();
    const limits = { keepDays: env.CONSOLE_HISTORY_DAYS, keepRows: env.CONSOLE_HISTORY_ROWS, mostWaiting };
    return new Recorder(getCluster(), history(), limits, clusterNow);
  });

/** The recorder of phase counts of this process; the first call starts it. */
export const phaseHistory = (): PhaseHistory =>
  once('history.phases', () => {
    const phases = makePhaseHistory(getCluster(), {
      history: history(),
      records: () => recorder().leads,
      limits: () => limitsStore().inForce,
      now: clusterNow,
    });
    return keepSampling(phases, getCluster());
  });

/** Lets rows go on from what is stored. To be awaited before the cluster is watched. @throws {HistoryUnavailable} */
export async function recallStarts(): Promise<void> {
  for (const [uid, start] of await readEarlierStarts(history())) earlierStarts().set(uid, start);
}

/** Records from now on, not from the first time that somebody looks. To be called before the first list is in. */
export function startHistory(): void {
  recorder();
  phaseHistory();
}

/** Stores what waits. Where the end of the process leaves no time for it, the next one shows where this one's ended. */
export const stopHistory = (): Promise<void> => recorder().stop();
