import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { makeHistory } from '../../history/database';
import { Recorder } from '../../history/stays/recorder';
import { HistoryTraffic } from '../history-traffic';
import { argumentOf, say, untilFinished } from './program-io';

/**
 * The part of the console that records, on a cluster whose sandboxes change so many times a second. Says of each flush how
 * many of the changes are stored for good.
 */
const { where, begun, rate, sandboxes } = argumentOf(
  z.object({ where: z.string(), begun: z.number(), rate: z.number(), sandboxes: z.number() }),
);
const tickMs = 10;
const flushMs = 1_000;
const signal = untilFinished();
const history = makeHistory(where);
const traffic = new HistoryTraffic({ begun, rate, sandboxes });
const recorder = new Recorder(traffic, history, { keepDays: 14, keepRows: 10_000_000, mostWaiting: 50_000 });
const delay = monitorEventLoopDelay({ resolution: 10 });

traffic.list(Date.now());
const first = traffic.done;
say('ready');
delay.enable();
let flushed = Date.now();
while (!signal.aborted) {
  traffic.until(Date.now());
  if (Date.now() - flushed >= flushMs) {
    flushed = Date.now();
    const { done } = traffic;
    // Not waited for: what happens meanwhile is for the next one.
    void recorder.flush().then(
      () => recorder.leads && process.stdout.write(`stored ${first} ${done}\n`),
      () => undefined,
    );
  }
  await sleep(tickMs);
}
const { done } = traffic;
await recorder.stop();
await history.close();
// One that never came to record has stored nothing.
say({ first, done: recorder.leads ? done : first, delayP99: delay.percentile(99) / 1e6, delayMax: delay.max / 1e6 });
process.exit();
