import 'server-only';
import { inTime } from './in-time';
import { log } from './log';

/** So long the end of the process waits at the most. */
const patienceMs = 1_000;

type Told = Pick<NodeJS.Process, 'pid' | 'kill' | 'listeners' | 'removeAllListeners' | 'on' | 'once'>;

/**
 * Does something when the process is told to end, and only then lets those hear of it who wait for that already: the web server
 * closes, and ends the process, without waiting for anybody. Told a second time meanwhile, the process ends at once.
 * @param work not waited for longer than a second
 */
export function beforeTheEnd(work: (signal: NodeJS.Signals) => Promise<unknown>, told: Told = process): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const others = told.listeners(signal);
    told.removeAllListeners(signal);
    told.once(signal, () => {
      const done = work(signal).catch((err: unknown) => log.error({ key: 'end.fault', err }));
      void inTime(done, patienceMs).then(() => {
        for (const other of others) told.on(signal, other);
        told.kill(told.pid, signal);
      });
    });
  }
}
