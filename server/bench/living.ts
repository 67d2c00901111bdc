import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Figure, figure, percentile } from './figures';
import { cpuSeconds, noStats, residentMb } from './process-stats';
import { startProgram } from './program';
import type { Stage } from './stage';
import type { Recording, Tab } from './tab';

const settleMs = 3_000;
const keyPresses = 60;
const betweenKeysMs = 120;
/** Typed and taken back again; nearly every row matches it. */
const typed = [...'pool-0', ...Array<string>('pool-0'.length).fill('Backspace')];

const watched = z.object({ seconds: z.number(), lateness: z.array(z.number()) });
type Watched = z.infer<typeof watched>;

interface Sizes {
  console: number | undefined;
  heap: number;
}

/**
 * One page while the cluster changes: how late it is, how it takes keys, how it grows. `rate` is what is wanted;
 * what the API server and the machine made of it is a figure of its own.
 */
export async function measureLiving(stage: Stage, tab: Tab, rate: number, seconds: number): Promise<Figure[]> {
  await tab.page
    .locator('td[data-column="message"]', { hasText: /t=\d{13}/ })
    .first()
    .waitFor();
  await sleep(settleMs);
  const before = await sizes(stage, tab);

  const watch = startProgram('watch', { url: stage.api.url });
  await watch.ready;
  const startedAt = Date.now();
  const used = await times(stage, tab);
  const idle = await tab.record(() => sleep(seconds * 1000));
  const busy = load(used, await times(stage, tab));
  watch.finish();
  const plain = watched.parse(await watch.result);
  const typing = await tab.record(() => type(tab));

  return [
    ...lateness(idle, plain, startedAt, rate),
    ...input(idle, typing),
    ...busy,
    ...memory(before, await sizes(stage, tab), stage),
  ];
}

async function sizes(stage: Stage, tab: Tab): Promise<Sizes> {
  return { console: residentMb(stage.console.pid), heap: await tab.heapMb() };
}

/** Moments and CPU times, in seconds. */
interface Times {
  at: number;
  tab: number;
  console: number | undefined;
  api: number | undefined;
}

async function times(stage: Stage, tab: Tab): Promise<Times> {
  const [console, api] = [cpuSeconds(stage.console.pid), cpuSeconds(stage.api.pid)];
  return { tab: await tab.cpuSeconds(), console, api, at: Date.now() / 1000 };
}

/** What each took of a core: on a busy machine this says more than how long something took. */
function load(before: Times, after: Times): Figure[] {
  const share = (of: 'tab' | 'console' | 'api') => {
    const seconds = difference(before[of], after[of]);
    return seconds === undefined ? undefined : (seconds * 100) / (after.at - before.at);
  };
  return [
    figure('tab, CPU of one core', '%', share('tab')),
    figure('console, CPU of one core', '%', share('console'), { why: noStats }),
    figure('embedded cluster, CPU of one core', '%', share('api'), { why: noStats }),
  ];
}

async function type(tab: Tab): Promise<void> {
  await tab.page.getByRole('searchbox').focus();
  for (let i = 0; i < keyPresses; i += 1) {
    await tab.page.keyboard.press(typed[i % typed.length] ?? 'Backspace');
    await sleep(betweenKeysMs);
  }
}

function lateness(idle: Recording, plain: Watched, startedAt: number, rate: number): Figure[] {
  const late = idle.late.filter(([stamp]) => stamp >= startedAt).map(([, ms]) => ms);
  const at = (share: number) => ({ reference: percentile(plain.lateness, share) });
  return [
    figure('changes a second, wanted', '/s', rate),
    figure('changes a second, made', '/s', plain.lateness.length / plain.seconds),
    figure('event to pixel, p50', 'ms', percentile(late, 0.5), at(0.5)),
    figure('event to pixel, p99', 'ms', percentile(late, 0.99), { budget: 1_000, ...at(0.99) }),
    figure('changes of visible rows seen', '', late.length),
  ];
}

function input(idle: Recording, typing: Recording): Figure[] {
  return [
    figure('key press to paint, p50', 'ms', percentile(typing.keys, 0.5)),
    figure('key press to paint, p95', 'ms', percentile(typing.keys, 0.95), { budget: 50 }),
    figure('frames a second', '/s', idle.framesPerSecond),
    figure('frames a second while typing', '/s', typing.framesPerSecond),
    figure('longest frame', 'ms', idle.longestFrame),
  ];
}

function memory(before: Sizes, after: Sizes, stage: Stage): Figure[] {
  return [
    figure('console, resident', 'MB', after.console, { budget: 700, why: noStats }),
    figure('console, growth in the window', 'MB', difference(before.console, after.console), { why: noStats }),
    figure('tab, JavaScript heap', 'MB', after.heap, { budget: 200 }),
    figure('tab, growth in the window', 'MB', after.heap - before.heap),
    figure('embedded cluster, resident', 'MB', residentMb(stage.api.pid), { why: noStats }),
  ];
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}
